import type { Endpoint } from '../core/exchange/endpoint.ts';
import type { MatchableRequest } from '../core/exchange/fault-plan.ts';
import { hash32 } from '../core/lib/random.ts';
import type { Exchange } from '../core/exchange/exchange.ts';
import { operationKey, operationKeyInSteps } from '../core/exchange/operation-key.ts';
import { isLongText, parseWithinBounds } from '../core/validation/extent.ts';
import { parseInTurns } from '../core/validation/parse-in-turns.ts';
import type { TenantContext } from '../core/tenant/context.ts';
import { IndexInSteps } from '../core/time/index-in-steps.ts';
import { finish } from '../core/time/steps.ts';
import type { Steps } from '../core/time/steps.ts';
import { endpoints } from '../service/endpoints.ts';
import { contactReferences } from '../service/contact-references.ts';
import { findEndpoint } from '../service/endpoint-lookup.ts';

const endpointById: ReadonlyMap<string, Endpoint> = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]));

/**
 * Shows a request to matchers: what several of them want to know is worked out once, and only if one does. A long body
 * and searches take their time: work that can begin again is broken off for what they find out, see `withIndexes`.
 */
export class RequestView {
  readonly call: MatchableRequest;
  readonly tenant: TenantContext;
  /** Holds what was worked out in steps, by what has asked for it; undefined before anything was. */
  #findings: Map<unknown, IndexInSteps<unknown>> | undefined;
  /** True when it is worth its while to work out in steps what the body holds. */
  readonly isLong: boolean;
  #body: { readonly value: unknown } | undefined;
  #query: URLSearchParams | undefined;
  #contacts: ReadonlySet<string> | undefined;
  #operation: string | undefined;

  constructor(call: MatchableRequest, tenant: TenantContext) {
    this.call = call;
    this.tenant = tenant;
    this.isLong = isLongText(call.exchange.request.body ?? '');
  }

  /**
   * Returns what work in steps finds out: once for each that asks. Whoever asks again must be the same object or text:
   * work that asks as somebody else each time that it begins would never end.
   */
  workOut<T>(asking: unknown, work: () => Steps<T>): T {
    this.#findings ??= new Map();
    const known = this.#findings.get(asking) ?? new IndexInSteps<unknown>(work);
    this.#findings.set(asking, known);
    // Whoever asks again has it done by the same work.
    return known.value as T;
  }

  get body(): unknown {
    if (this.isLong) return this.workOut('body', () => parseInTurns(this.call.exchange.request.body ?? '')).json;
    this.#body ??= { value: this.call.body };
    return this.#body.value;
  }

  get query(): URLSearchParams {
    this.#query ??= this.call.query;
    return this.#query;
  }

  /** Returns the ids and keys of the contacts that it is about. */
  get contacts(): ReadonlySet<string> {
    if (this.isLong) return this.workOut('contacts', () => this.#findContacts());
    this.#contacts ??= finish(this.#findContacts());
    return this.#contacts;
  }

  #findContacts(): Steps<ReadonlySet<string>> {
    const parameters = [...Object.entries(this.call.params), ...this.query];
    return contactReferences(this.tenant, { parameters, body: this.body });
  }

  /** Identifies its operation: by a digest, as the key may be as long as a body. */
  get operationDigest(): string {
    const endpoint = endpointById.get(this.call.endpoint ?? '');
    if (this.isLong) return this.workOut('operation', () => digestInSteps(this, endpoint));
    this.#operation ??= digestOf(operationKey(this.call.exchange, endpoint).text);
    return this.#operation;
  }
}

const formatDigest = (...hashes: readonly number[]): string => hashes.map((hash) => hash.toString(36)).join('.');

const digestOf = (text: string): string => formatDigest(hash32(text), hash32(text, 1));

function* digestInSteps(request: RequestView, endpoint: Endpoint | undefined): Steps<string> {
  const { text } = yield* operationKeyInSteps(request.call.exchange, endpoint, request.body);
  yield;
  const first = hash32(text);
  yield;
  return formatDigest(first, hash32(text, 1));
}

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
