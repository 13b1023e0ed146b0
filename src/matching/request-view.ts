import type { Endpoint } from '../core/exchange/endpoint.ts';
import type { MatchableRequest } from '../core/exchange/fault-plan.ts';
import { hash32 } from '../core/lib/random.ts';
import type { Exchange } from '../core/exchange/exchange.ts';
import { operationKey, parseJsonBody } from '../core/exchange/operation-key.ts';
import type { TenantContext } from '../core/tenant/context.ts';
import { endpoints } from '../service/endpoints.ts';
import { contactReferences } from '../service/contact-references.ts';
import { endpointParameters } from '../service/endpoint-lookup.ts';

const endpointById: ReadonlyMap<string, Endpoint> = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]));

/** A call that rules are asked about; what several of them want to know is worked out once, and only if one does. */
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

  /** Ids and keys of the contacts that it is about. */
  get contacts(): ReadonlySet<string> {
    this.#contacts ??= contactReferences(this.tenant, {
      parameters: [...Object.entries(this.call.params), ...this.query],
      body: this.body,
    });
    return this.#contacts;
  }

  /** What tells its operation from others: a digest, as the key may be as long as a body. */
  get operationDigest(): string {
    this.#operation ??= digestOf(operationKey(this.call.exchange, endpointById.get(this.call.endpoint ?? '')).text);
    return this.#operation;
  }
}

const digestOf = (text: string): string => `${hash32(text).toString(36)}.${hash32(text, 1).toString(36)}`;

/** A call as an exchange has kept it; its keys are hidden. */
export function requestFromExchange(exchange: Exchange): MatchableRequest {
  const { endpoint, path, query, request } = exchange;
  const body = parseJsonBody(request.body);
  const served = endpointById.get(endpoint ?? '');
  return {
    exchange,
    endpoint,
    params: (served && endpointParameters(served, path)) ?? {},
    query: new URLSearchParams(query),
    header: (name) => request.headers[name],
    // A text that is no JSON stays one.
    body: body === request.body ? undefined : body,
  };
}
