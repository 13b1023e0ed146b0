/** Finds a request of the journal, and the tenant as it was then. */
import { plural } from '../../core/lib/plural.ts';
import type { Exchange } from '../../core/exchange/exchange.ts';
import { momentOf, tenantToRead } from '../../core/tenant/past-tenant.ts';
import type { PastMoment, RequestSide } from '../../core/tenant/past-tenant.ts';
import type { Tenant } from '../../core/tenant/tenant.ts';
import { finishInTurns } from '../../core/time/steps.ts';
import { requiredText } from '../../core/validation/field-types.ts';
import { apiError } from '../../service/errors/catalog.ts';

/** Shows things as they were at an earlier request. */
export const atParameter = {
  at: requiredText
    .optional()
    .describe('The id of a request: as it was right after that request (default: as it is now)'),
};

/** Returns the request with this id. Throws `NotFound`. */
export function findExchange({ journal, name }: Tenant, id: string): Exchange {
  const exchange = journal.get(id);
  if (exchange) return exchange;
  const dropped = journal.evicted > 0 ? `, and ${journal.evicted} older ones were dropped to make room` : '';
  throw apiError('NotFound', {
    message: `The journal of tenant "${name}" holds ${plural(journal.size, 'request')}, none with the id "${id}"${dropped}.`,
  });
}

/** Returns what the tenant was at a request. Rejects with `NotFound`, or `Conflict` if that can't be worked out. */
export async function findMoment(tenant: Tenant, id: string, side: RequestSide = 'after'): Promise<PastMoment> {
  const exchange = findExchange(tenant, id);
  if (exchange.finishedAt === undefined && exchange.response === undefined) {
    throw apiError('Conflict', { message: `The request "${id}" is still in flight: there is no state after it yet.` });
  }
  const moment = momentOf(tenant, exchange, side);
  if (moment) return finishInTurns(moment);
  throw apiError('Conflict', {
    message:
      `The state right ${side} the request "${id}" can't be shown any more: more has changed since than is kept ` +
      '(the option journalBytes says how much that is). A later request, or a snapshot, can be shown.',
  });
}

/** Returns the tenant to read from: as it was at a request, or as it is now. */
export const tenantAt = async (tenant: Tenant, at: string | undefined): Promise<Tenant> =>
  at === undefined ? tenant : tenantToRead(tenant, await findMoment(tenant, at));
