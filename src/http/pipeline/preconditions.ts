/** What every call of the service has to keep to before its endpoint is reached. */
import { monotonicNow } from '../../core/time/clock.ts';
import { apiError } from '../../service/errors/catalog.ts';
import { headerOf } from '../context.ts';
import type { Precondition } from '../context.ts';

/** */
export function requireUserAgent(): Precondition {
  return function checkUserAgent(c) {
    if (headerOf(c, 'user-agent') === undefined) {
      const tenant = c.get('tenant');
      const { sideEffects: outcome } = c.get('exchange');
      outcome.recordAssumption('A-04');
      if (tenant.settings.assumptions['A-04'] === 'required') throw apiError('UserAgentRequired');
      const message = 'there is no User-Agent header; the live service asks for one';
      outcome.warn('user-agent', message);
    }
  };
}

const overrides = ['x-http-method-override', 'x-http-method', 'x-method-override'] as const;

/** Some clients send what they mean in a header, for proxies that let GET and POST through alone. */
export function warnMethodOverride(): Precondition {
  return function lookForOverrides(c) {
    for (const name of overrides) {
      const meant = headerOf(c, name);
      if (meant === undefined || meant.toUpperCase() === c.req.method) continue;
      const message = `the header ${name}: ${meant} is not read; this is a ${c.req.method}, send it as the method`;
      c.get('exchange').sideEffects.warn('method-override', message);
    }
  };
}

/** so many calls per second of real time, tenant and key. */
export function limitRate(): Precondition {
  const windows = new Map<string, { readonly second: number; count: number }>();
  return function countCalls(c) {
    const tenant = c.get('tenant');
    const limit = Number(tenant.settings.assumptions['A-05'] ?? 0);
    if (limit > 0) {
      const caller = `${tenant.name} ${headerOf(c, 'apikey') ?? headerOf(c, 'x-api-key') ?? ''}`;
      const second = Math.floor(monotonicNow() / 1000);
      const last = windows.get(caller);
      const window = last?.second === second ? last : { second, count: 0 };
      windows.set(caller, window);
      window.count++;
      c.get('exchange').sideEffects.recordAssumption('A-05');
      if (window.count > limit) throw apiError('TooManyRequests');
    }
  };
}
