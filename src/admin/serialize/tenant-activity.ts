/** Sums up what happened in a tenant, for a list of many. */
import * as z from '../../core/validation/deferred-zod.ts';
import { toTimestamp } from '../../core/time/clock.ts';
import type { Tenant } from '../../core/tenant/tenant.ts';

export const tenantActivitySchema = z.strictObject({
  faulted: z.int().describe('Counts the requests in the journal that a fault hit'),
  lastRequest: z.string().nullable().describe("Moment of its last request, on the tenant's clock"),
  idle: z.int().nullable().describe('Real time since its last request, in ms'),
});

/** Sums up a tenant; `now` is real time since the program's start in ms, one for all tenants of a list. */
export function serializeTenantActivity({ journal }: Tenant, now: number): z.infer<typeof tenantActivitySchema> {
  let faulted = 0;
  let last: { readonly at: number; readonly startedAt: number } | undefined;
  for (const exchange of journal.exchanges()) {
    if (exchange.fault) faulted++;
    last = exchange;
  }
  return {
    faulted,
    lastRequest: last ? toTimestamp(last.at) : null,
    idle: last ? Math.round(now - last.startedAt) : null,
  };
}
