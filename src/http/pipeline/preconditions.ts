import { monotonicNow } from '../../core/time/clock.ts';
import type { Tenant } from '../../core/tenant/tenant.ts';
import type { Endpoint } from '../../core/exchange/endpoint.ts';
import { apiError } from '../../service/errors/catalog.ts';
import { headerOf, sentPath } from '../context.ts';
import type { Handler, Precondition } from '../context.ts';
import { unknownRouteError } from './route-suggestions.ts';

/** Runs the checks in order; the first that throws rejects the request. */
export function checkPreconditions(checks: readonly Precondition[]): (next: Handler) => Handler {
  return (next) =>
    function runChecks(c) {
      for (const check of checks) check(c);
      return next(c);
    };
}

/** asks for a User-Agent, or warns that the live service does. */
export function requireUserAgent(): Precondition {
  return function checkUserAgent(c) {
    if (headerOf(c, 'user-agent') === undefined) {
      const tenant = c.get('tenant');
      const { sideEffects } = c.get('exchange');
      sideEffects.recordAssumption('A-04');
      if (tenant.settings.assumptions['A-04'] === 'required') throw apiError('UserAgentRequired');
      const message = 'there is no User-Agent header; the live service asks for one';
      sideEffects.warn('user-agent', message);
    }
  };
}

const overrides = ['x-http-method-override', 'x-http-method', 'x-method-override'] as const;

/** Warns clients that send their method in a header, for proxies that let only GET and POST through. */
export function warnMethodOverride(): Precondition {
  return function checkOverrides(c) {
    for (const name of overrides) {
      const method = headerOf(c, name);
      if (method === undefined || method.toUpperCase() === c.req.method) continue;
      const message = `the header ${name}: ${method} is not read; this is a ${c.req.method}, send it as the method`;
      c.get('exchange').sideEffects.warn('method-override', message);
    }
  };
}

/** Holds the number of a tenant's requests within one second, by key. */
interface RequestCount {
  second: number;
  readonly byKey: Map<string, number>;
}

/** Returns the count of a tenant's requests, which a reset of its journal clears. */
function openCount(tenant: Tenant): RequestCount {
  const count: RequestCount = { second: 0, byKey: new Map() };
  tenant.onRestore((back) => {
    if ('scopes' in back && back.scopes.includes('journal')) count.byKey.clear();
  });
  return count;
}

/** limits requests per second of real time, tenant and key. */
export function limitRate(): Precondition {
  const counts = new WeakMap<Tenant, RequestCount>();
  return function countRequests(c) {
    const tenant = c.get('tenant');
    const limit = Number(tenant.settings.assumptions['A-05'] ?? 0);
    if (limit > 0) {
      const count = counts.get(tenant) ?? openCount(tenant);
      counts.set(tenant, count);
      const second = Math.floor(monotonicNow() / 1000);
      if (count.second !== second) count.byKey.clear();
      count.second = second;
      const key = headerOf(c, 'apikey') ?? headerOf(c, 'x-api-key') ?? '';
      const sent = (count.byKey.get(key) ?? 0) + 1;
      count.byKey.set(key, sent);
      c.get('exchange').sideEffects.recordAssumption('A-05');
      if (sent > limit) throw apiError('TooManyRequests');
    }
  };
}

/** serves a path that ends with a slash like the path, or rejects it. */
export function checkTrailingSlash(endpoints: readonly Endpoint[]): Precondition {
  return function checkEndOfPath(c) {
    const path = sentPath(c.req.raw, c);
    if (path === c.req.path) return;
    c.get('exchange').sideEffects.recordAssumption('A-72');
    if (c.get('tenant').settings.assumptions['A-72'] === 'strict') throw unknownRouteError(c, endpoints, path);
  };
}

/** Warns of a key that is not where it is looked for, and of a tenant's first request without any. */
export function warnMissingKey(): Precondition {
  const warned = new WeakSet<Tenant>();
  return function checkKey(c) {
    if (headerOf(c, 'apikey') !== undefined || headerOf(c, 'x-api-key') !== undefined) return;
    const { sideEffects } = c.get('exchange');
    if (headerOf(c, 'authorization') !== undefined) {
      sideEffects.warn('key-unread', 'the header authorization is not read; send the key in the header apikey');
      return;
    }
    const tenant = c.get('tenant');
    if (warned.has(tenant)) return;
    warned.add(tenant);
    const message = 'there is no key; the live service asks for one in the header apikey (this warning comes once)';
    sideEffects.warn('key-missing', message);
  };
}
