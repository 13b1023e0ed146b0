import type { Endpoint } from '../core/exchange/endpoint.ts';
import type { MatchableRequest } from '../core/exchange/fault-plan.ts';
import { hash32 } from '../core/lib/random.ts';
import type { Exchange } from '../core/exchange/exchange.ts';
import { operationKey } from '../core/exchange/operation-key.ts';
import { parseWithinBounds } from '../core/validation/extent.ts';
import type { TenantContext } from '../core/tenant/context.ts';
import { endpoints } from '../service/endpoints.ts';
import { contactReferences } from '../service/contact-references.ts';
import { findEndpoint } from '../service/endpoint-lookup.ts';

const endpointById: ReadonlyMap<string, Endpoint> = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]));

/** Shows a request to matchers: what several of them want to know is worked out once, and only if one does. */
export class RequestView {
  readonly call: MatchableRequest;
  readonly tenant: TenantContext;
  #body: { readonly value: unknown } | undefined;
  #query: URLSearchParams | undefined;
  #contacts: ReadonlySet<string> | undefined;
  #operation: string | undefined;

  constructor(call: MatchableRequest, tenant: TenantContext) {
    this.call = call;
    this.tenant = tenant;
  }

  get body(): unknown {
    this.#body ??= { value: this.call.body };
    return this.#body.value;
  }

  get query(): URLSearchParams {
    this.#query ??= this.call.query;
    return this.#query;
  }

  /** Returns the ids and keys of the contacts that it is about. */
  get contacts(): ReadonlySet<string> {
    this.#contacts ??= contactReferences(this.tenant, {
      parameters: [...Object.entries(this.call.params), ...this.query],
      body: this.body,
    });
    return this.#contacts;
  }

  /** Identifies its operation: by a digest, as the key may be as long as a body. */
  get operationDigest(): string {
    this.#operation ??= digestOf(operationKey(this.call.exchange, endpointById.get(this.call.endpoint ?? '')).text);
    return this.#operation;
  }
}

const digestOf = (text: string): string => `${hash32(text).toString(36)}.${hash32(text, 1).toString(36)}`;

/** Shows a request as the journal has kept it, without its keys; each part is read when somebody wants it. */
export class JournaledRequest implements MatchableRequest {
  readonly exchange: Exchange;
  /** Names the endpoint, also of a request that was turned away before it. */
  readonly endpoint: string | undefined;

  constructor(exchange: Exchange) {
    this.exchange = exchange;
    this.endpoint = exchange.endpoint ?? findEndpoint(exchange.method, exchange.path)?.endpoint.id;
  }

  get params(): Readonly<Record<string, string>> {
    const { method, path } = this.exchange;
    return findEndpoint(method, path)?.params ?? {};
  }

  get query(): URLSearchParams {
    return new URLSearchParams(this.exchange.query);
  }

  get body(): unknown {
    return parseWithinBounds(this.exchange.request.body ?? '');
  }

  header(name: string): string | undefined {
    return this.exchange.request.headers[name.toLowerCase()];
  }
}
