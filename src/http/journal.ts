import { monotonic } from '../core/clock.ts';
import { guid } from '../core/ids.ts';
import { newOutcome } from '../core/journal.ts';
import type { Exchange } from '../core/journal.ts';
import type { Tenant } from '../core/tenant.ts';
import { pathOf, rawQueryOf, splitTenant } from './context.ts';
import type { AppContext, Step } from './context.ts';

const secretHeaders = ['apikey', 'x-api-key', 'authorization', 'x-sim-admin-key', 'cookie'];

/** The request's headers with lower-case names; of a secret one only that it was there. */
function headersOf(c: AppContext): Record<string, string> {
  const incoming = c.env?.incoming;
  // Node joins repeated headers itself, but for set-cookie, which no request has.
  const headers = incoming ? (incoming.headers as Record<string, string>) : Object.fromEntries(c.req.raw.headers);
  const secrets = secretHeaders.filter((name) => headers[name] !== undefined);
  if (secrets.length === 0) return headers;
  return { ...headers, ...Object.fromEntries(secrets.map((name) => [name, '(hidden)'])) };
}

function openExchange(c: AppContext, tenant: Tenant): Exchange {
  const { url, method } = c.req.raw;
  const number = tenant.journal.nextNumber();
  const exchange: Exchange = {
    id: guid(tenant.settings.seed, `${tenant.name}/request`, number),
    number,
    at: tenant.clock.now(),
    startedAt: monotonic(),
    method,
    path: splitTenant(pathOf(url)).served,
    query: rawQueryOf(url),
    request: { headers: headersOf(c), body: undefined },
    endpoint: undefined,
    nearest: undefined,
    status: undefined,
    answer: undefined,
    finishedAt: undefined,
    outcome: newOutcome(),
    later: [],
  };
  tenant.journal.open(exchange);
  return exchange;
}

/** Opens an exchange and closes it with what the caller was told, whatever happened in between. */
export function journal(): Step {
  return async function keepJournal(c, next) {
    const tenant = c.get('tenant');
    const exchange = openExchange(c, tenant);
    c.set('exchange', exchange);
    await next();
    exchange.finishedAt = monotonic();
    tenant.journal.settle(exchange);
  };
}
