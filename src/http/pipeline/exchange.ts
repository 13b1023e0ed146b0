import { systemNow, monotonicNow } from '../../core/time/clock.ts';
import type { DeliveredResponse } from '../../core/exchange/fault.ts';
import { hash32 } from '../../core/lib/random.ts';
import { copyOfText, RecentMap } from '../../core/lib/recent-map.ts';
import { exchangeId, noNearMisses, noDeferredEffects, SideEffects } from '../../core/exchange/exchange.ts';
import type { Exchange, HttpMessage } from '../../core/exchange/exchange.ts';
import { redactQuery, redactSecrets } from '../../core/exchange/redaction.ts';
import type { Tenant } from '../../core/tenant/tenant.ts';
import { connectionOf } from '../transport/connections.ts';
import { rawQueryOf, sentPath, urlOf } from '../context.ts';
import type { AppContext, Handler, Precondition } from '../context.ts';
import { prepareTenant, resolveTenant } from './tenant-resolution.ts';
import type { TenancyOptions } from './tenant-resolution.ts';

type HeaderMap = Readonly<Record<string, string>>;

/** Returns the request's headers with lower-case names. */
function headersOf(c: AppContext): HeaderMap {
  const incoming = c.env?.incoming;
  // Node joins repeated headers itself, but for set-cookie, which no request has.
  return incoming ? (incoming.headers as Record<string, string>) : Object.fromEntries(c.req.raw.headers);
}

/** Lists the headers by which a client identifies itself. */
const keyHeaders = ['apikey', 'x-api-key', 'authorization'] as const;

/** Returns a function that digests clients' keys, with a salt that no other run has. */
function keyDigests(): (headers: HeaderMap) => string | undefined {
  const salt = systemNow();
  let last = { sent: '', made: '' };
  return function digestKeys(headers) {
    const keys = keyHeaders.map((name) => headers[name] ?? '').join('\n');
    if (keys.length < keyHeaders.length) return undefined;
    if (keys !== last.sent) last = { sent: keys, made: `${hash32(keys, salt)}.${hash32(keys, salt + 1)}` };
    return last.made;
  };
}

/** Limits the paths that are kept of late, and as many of before. */
const maxPaths = 500;

/** Limits the length of a path that is kept, in characters. */
const maxPathLength = 200;

/**
 * Lets the journal keep one object for what many requests have in common: a client mostly sends the same headers, and to
 * the same few paths, and a read does nothing. The less there is of each, the shorter all wait for the garbage collector.
 */
class Shared {
  #request: HttpMessage = { headers: {}, body: undefined };
  #sideEffects = new SideEffects();
  readonly #paths = new RecentMap<string>(maxPaths);

  /** Returns a request with these headers whose body is not read yet. */
  requestWith(headers: HeaderMap): HttpMessage {
    const { headers: last } = this.#request;
    const names = Object.keys(headers);
    const isSame = names.length === Object.keys(last).length && names.every((name) => headers[name] === last[name]);
    if (!isSame) this.#request = { headers, body: undefined };
    return this.#request;
  }

  /** Returns a path that is served. What nobody serves is made up by clients, and not kept. */
  path(path: string): string {
    const known = this.#paths.get(path);
    if (known !== undefined || path.length > maxPathLength) return known ?? path;
    const kept = copyOfText(path);
    this.#paths.set(kept, kept);
    return kept;
  }

  /** Returns what work that is over has done: nothing, in many cases, from the same state. */
  sideEffects(done: SideEffects): SideEffects {
    if (!done.isQuiet) return done;
    if (!this.#sideEffects.isAsQuiet(done)) this.#sideEffects = done;
    return this.#sideEffects;
  }
}

type SharedParts = Pick<Exchange, 'path' | 'request' | 'keyDigest'>;

function openExchange(c: AppContext, tenant: Tenant, { path, request, keyDigest }: SharedParts): Exchange {
  const url = urlOf(c);
  const number = tenant.journal.nextNumber();
  const exchange: Exchange = {
    id: exchangeId(tenant.name, number),
    number,
    at: tenant.clock.now(),
    clockMoved: tenant.clock.moved,
    startedAt: monotonicNow(),
    method: c.req.method,
    path,
    query: redactQuery(rawQueryOf(url)),
    request,
    keyDigest,
    endpoint: undefined,
    nearest: undefined,
    status: undefined,
    response: undefined,
    fault: undefined,
    nearMisses: noNearMisses,
    delivered: undefined,
    connection: c.env?.incoming && connectionOf(c.env.incoming),
    finishedAt: undefined,
    completionNumber: undefined,
    byteSize: 0,
    sideEffects: new SideEffects(),
    deferredEffects: noDeferredEffects,
  };
  exchange.sideEffects.stateVersion = tenant.history.version;
  tenant.journal.open(exchange);
  return exchange;
}

interface RecordOptions {
  readonly tenancy: TenancyOptions;
  /** Rejects requests that may not create a tenant. */
  readonly guard: Precondition;
  /** Responds to what the next step throws. */
  readonly respondToError: (error: unknown, c: AppContext) => Response;
}

/**
 * Opens an exchange and completes it with what the client got. A request that `guard` will reject leaves an exchange,
 * but creates no tenant.
 */
export function recordExchange({
  tenancy,
  guard,
  respondToError,
}: RecordOptions): (next: Handler, isServed: boolean) => Handler {
  const [shared, digestKeys] = [new Shared(), keyDigests()];
  const open = (c: AppContext, isServed: boolean): void => {
    const tenant = resolveTenant(c, tenancy, guard);
    c.set('tenant', tenant);
    const headers = headersOf(c);
    const path = tenant.settings.assumptions['A-72'] === 'strict' ? sentPath(c.req.raw, c) : c.req.path;
    const exchange = openExchange(c, tenant, {
      path: isServed ? shared.path(path) : path,
      // Of a secret header, only its presence is kept.
      request: shared.requestWith(redactSecrets(headers)),
      keyDigest: digestKeys(headers),
    });
    c.set('exchange', exchange);
    // Without a transport, nothing reports the delivery.
    if (!c.env) return;
    c.env.onDelivered = (delivered) => completeExchange(tenant, exchange, delivered);
    c.env.onWrite = () => void (exchange.finishedAt = monotonicNow());
  };
  // The transport completes a faulted exchange once it has carried the fault out.
  const complete = (c: AppContext, response: Response): Response => {
    const exchange = c.get('exchange');
    if (exchange.fault) return response;
    exchange.sideEffects = shared.sideEffects(exchange.sideEffects);
    completeExchange(c.get('tenant'), exchange);
    return response;
  };
  return (next, isServed) => {
    const respond = (c: AppContext): Response | Promise<Response> => {
      // What responds at once is completed at once: a promise would cost a turn of the microtasks.
      try {
        const response = next(c);
        if (!(response instanceof Promise)) return complete(c, response);
        return response.catch((error: unknown) => respondToError(error, c)).then((late) => complete(c, late));
      } catch (error) {
        return complete(c, respondToError(error, c));
      }
    };
    const begin: Handler = (c) => {
      open(c, isServed);
      // Requests that a client in process makes together are open together, as they are over HTTP.
      return c.env?.incoming ? respond(c) : Promise.resolve(c).then(respond);
    };
    return function recordRequest(c) {
      const prepared = prepareTenant(c, tenancy, guard);
      // Where that can't be done, the first write says so.
      return prepared ? prepared.catch(() => {}).then(() => begin(c)) : begin(c);
    };
  };
}

function completeExchange({ journal }: Tenant, exchange: Exchange, delivered?: DeliveredResponse): void {
  exchange.delivered ??= delivered;
  if (exchange.delivered) exchange.status = exchange.delivered.status;
  exchange.finishedAt = monotonicNow();
  journal.complete(exchange);
}
