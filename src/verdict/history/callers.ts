/** Tells who sent a request, as far as a journal shows it. */
import { appendTo } from '../../core/lib/collections.ts';
import type { Exchange } from '../../core/exchange/exchange.ts';
import { finish, forEachInSteps } from '../../core/time/steps.ts';
import type { Steps } from '../../core/time/steps.ts';
import { toAttempt } from './attempt.ts';
import { connectionUsageOf, isParallel } from './connection-usage.ts';

/** Names the header by which a client says who it is, unless its policy names another. */
export const defaultClientHeader = 'x-sim-client';

/** Says whether two requests came from one caller; `unknown` when the journal proves neither. */
export type CallerComparison = 'same' | 'other' | 'unknown';

/** Lists the headers that a proxy adds: the connections behind it are its own. */
const proxyHeaders = ['via', 'forwarded', 'x-forwarded-for', 'x-real-ip'] as const;

/** True when a proxy has handed a request on: its connection, and some repeats, are the proxy's. */
export const isProxied = ({ request }: Exchange): boolean =>
  proxyHeaders.some((name) => request.headers[name] !== undefined);

/**
 * True when a proxy may have handed a request on: it says so, or the request has HTTP/1.0 and `Connection: close`, as
 * nginx sends it by default, together with a user agent, as old clients of HTTP/1.0 hardly do.
 */
export const mayBeProxied = (exchange: Exchange): boolean => {
  const { headers } = exchange.request;
  const isByDefault = exchange.connection?.httpVersion === '1.0' && headers['connection'] === 'close';
  return isProxied(exchange) || (isByDefault && headers['user-agent'] !== undefined);
};

/** True when one connection carries another API key from some request on, and no proxy says that it is shared. */
const isRotated = (a: Exchange, b: Exchange): boolean =>
  a.connection !== undefined &&
  a.connection.id === b.connection?.id &&
  a.request.headers['user-agent'] === b.request.headers['user-agent'] &&
  !isProxied(a) &&
  !isProxied(b);

interface CallerNames {
  /** Names the header that declares a caller. */
  readonly clientHeader?: string | undefined;
  /** Names the client when it is known to be the only one. */
  readonly only?: string | undefined;
}

/** Indexes the callers of a journal: by the id that they declare, else by program and API key, else by connection. */
export class Callers {
  readonly #clientHeader: string;
  /** Holds the name of the client when it is known to be the only one. */
  readonly #only: string | undefined;
  /** Holds the connections that carry requests of several callers, or of a proxy. */
  readonly #shared = new Set<number>();
  readonly #declared = new Map<string, Exchange[]>();
  /** Holds the texts of `keyOf`, by the digest of the API key and the name of the program; by none for what is declared. */
  readonly #keys = new Map<string | undefined, Map<string, string>>();
  readonly #isParallel = new Map<string, boolean>();

  private constructor(clientHeader: string, only: string | undefined) {
    this.#clientHeader = clientHeader.toLowerCase();
    this.#only = only;
  }

  /** Indexes the callers of a journal. */
  static *of(
    exchanges: readonly Exchange[],
    { clientHeader = defaultClientHeader, only }: CallerNames = {},
  ): Steps<Callers> {
    const callers = new Callers(clientHeader, only);
    const seen = new Map<number, string>();
    yield* forEachInSteps(exchanges, (exchange) => callers.#note(exchange, seen));
    return callers;
  }

  /** Notes a request; `seen` holds the key of the caller that each connection had before. */
  #note(exchange: Exchange, seen: Map<number, string>): void {
    this.#noteDeclared(exchange);
    const { connection } = exchange;
    if (!connection) return;
    const key = this.keyOf(exchange);
    if (isProxied(exchange) || (seen.get(connection.id) ?? key) !== key) this.#shared.add(connection.id);
    seen.set(connection.id, key);
  }

  /** Returns the id that a caller declares of itself, or the name of the only one. */
  declaredBy({ request }: Exchange): string | undefined {
    return request.headers[this.#clientHeader] || this.#only;
  }

  /** Returns the ids that callers declare, with the requests of each. */
  get declared(): ReadonlyMap<string, readonly Exchange[]> {
    return this.#declared;
  }

  /** Returns a text by which requests of several callers are grouped; several callers may share it. */
  keyOf(exchange: Exchange): string {
    const declared = this.declaredBy(exchange);
    if (declared !== undefined) return this.#keyFor(undefined, declared);
    return this.#keyFor(exchange.keyDigest ?? '', exchange.request.headers['user-agent'] ?? '');
  }

  /** Returns one and the same text for the same names: texts that are made again take long to compare. */
  #keyFor(digest: string | undefined, name: string): string {
    const keys = this.#keys.get(digest) ?? new Map<string, string>();
    if (keys.size === 0) this.#keys.set(digest, keys);
    const known = keys.get(name);
    if (known !== undefined) return known;
    const key = digest === undefined ? `${this.#clientHeader}: ${name}` : `${name} ${digest}`;
    keys.set(name, key);
    return key;
  }

  /** Compares the callers of two requests. */
  compare(a: Exchange, b: Exchange): CallerComparison {
    const [left, right] = [this.declaredBy(a), this.declaredBy(b)];
    if (left !== undefined && right !== undefined) return left === right ? 'same' : 'other';
    // A client may declare itself in some of its requests only.
    if (left !== undefined || right !== undefined) return 'unknown';
    if (this.keyOf(a) !== this.keyOf(b)) return isRotated(a, b) ? 'unknown' : 'other';
    return this.#isByOneConnection(a, b) ? 'same' : 'unknown';
  }

  /** True when these requests declare one and the same caller. */
  isOneDeclared(exchanges: readonly Exchange[]): boolean {
    const [first] = exchanges;
    const declared = first && this.declaredBy(first);
    return declared !== undefined && exchanges.every((exchange) => this.declaredBy(exchange) === declared);
  }

  /** True when a caller that declares itself has sent several requests at a time. */
  isParallel(declared: string): boolean {
    const known =
      this.#isParallel.get(declared) ??
      isParallel(finish(connectionUsageOf((this.#declared.get(declared) ?? []).map(toAttempt))));
    this.#isParallel.set(declared, known);
    return known;
  }

  #isByOneConnection({ connection: a }: Exchange, { connection: b }: Exchange): boolean {
    return a !== undefined && a.id === b?.id && !this.#shared.has(a.id);
  }

  #noteDeclared(exchange: Exchange): void {
    const declared = this.declaredBy(exchange);
    if (declared !== undefined) appendTo(this.#declared, declared, exchange);
  }
}
