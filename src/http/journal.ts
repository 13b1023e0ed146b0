import { machineNow, monotonic } from '../core/clock.ts';
import type { Delivered } from '../core/faults.ts';
import { digest } from '../core/ids.ts';
import { exchangeId, noNearMisses, nothingLater, Outcome } from '../core/journal.ts';
import type { Exchange } from '../core/journal.ts';
import { withoutKeys, withoutSecrets } from '../core/secrets.ts';
import type { Tenant } from '../core/tenant.ts';
import { connectionOf } from './connection.ts';
import { rawQueryOf, urlOf } from './context.ts';
import type { AppContext, Check, Step } from './context.ts';
import { findTenant } from './tenant.ts';
import type { TenantOptions } from './tenant.ts';

type Headers = Readonly<Record<string, string>>;

/** The request's headers with lower-case names. */
function headersOf(c: AppContext): Headers {
  const incoming = c.env?.incoming;
  // Node joins repeated headers itself, but for set-cookie, which no request has.
  return incoming ? (incoming.headers as Record<string, string>) : Object.fromEntries(c.req.raw.headers);
}

/** By which a caller says who it is. */
const keyHeaders = ['apikey', 'x-api-key', 'authorization'] as const;

/** Digests of callers' keys that mean nothing to another program, nor to this one when it is started again. */
function keyDigests(): (headers: Headers) => string | undefined {
  const salt = machineNow();
  let last = { sent: '', made: '' };
  return function digestKeys(headers) {
    const sent = keyHeaders.map((name) => headers[name] ?? '').join('\n');
    if (sent.length < keyHeaders.length) return undefined;
    if (sent !== last.sent) last = { sent, made: `${digest(sent, salt)}.${digest(sent, salt + 1)}` };
    return last.made;
  };
}

/** A client mostly sends the same headers every time: the journal keeps such a set once. */
function sharedHeaders(): (headers: Headers) => Headers {
  let last: Headers = {};
  return function share(headers) {
    const names = Object.keys(headers);
    const same = names.length === Object.keys(last).length && names.every((name) => headers[name] === last[name]);
    if (!same) last = headers;
    return last;
  };
}

type Shown = Pick<Exchange, 'keyDigest'> & { readonly headers: Headers };

function openExchange(c: AppContext, tenant: Tenant, { headers, keyDigest }: Shown): Exchange {
  const url = urlOf(c);
  const number = tenant.journal.nextNumber();
  const exchange: Exchange = {
    id: exchangeId(tenant.name, number),
    number,
    at: tenant.clock.now(),
    startedAt: monotonic(),
    method: c.req.method,
    path: c.req.path,
    query: withoutKeys(rawQueryOf(url)),
    request: { headers, body: undefined },
    keyDigest,
    endpoint: undefined,
    nearest: undefined,
    status: undefined,
    answer: undefined,
    fault: undefined,
    nearMisses: noNearMisses,
    delivered: undefined,
    connection: c.env?.incoming && connectionOf(c.env.incoming),
    finishedAt: undefined,
    settledAs: undefined,
    weight: 0,
    outcome: new Outcome(),
    later: nothingLater,
  };
  tenant.journal.open(exchange);
  return exchange;
}

/**
 * Opens an exchange and closes it with what the caller was told, whatever happened in between. Whom `guard` will turn
 * away leaves an exchange, and no tenant.
 */
export function journal(tenancy: TenantOptions, guard: Check): Step {
  const [share, digestKeys] = [sharedHeaders(), keyDigests()];
  return async function keepJournal(c, next) {
    const tenant = findTenant(c, tenancy, guard);
    c.set('tenant', tenant);
    const headers = headersOf(c);
    // Of a secret one only that it was there.
    const shown = { headers: share(withoutSecrets(headers)), keyDigest: digestKeys(headers) };
    const exchange = openExchange(c, tenant, shown);
    c.set('exchange', exchange);
    // Without a transport, nobody tells.
    if (c.env) c.env.note = (delivered) => settle(tenant, exchange, delivered);
    await next();
    // What a fault befalls is settled when the transport has carried it out.
    if (!exchange.fault) settle(tenant, exchange);
  };
}

function settle({ journal: kept }: Tenant, exchange: Exchange, delivered?: Delivered): void {
  exchange.delivered ??= delivered;
  if (exchange.delivered) exchange.status = exchange.delivered.status;
  exchange.finishedAt = monotonic();
  kept.settle(exchange);
}
