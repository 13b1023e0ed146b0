/** Says what changes mean to a shop: receipts, points, redemptions, whatever their ids and times. */
import { effectsOf } from '../../core/state/effects.ts';
import type { RowChange } from '../../core/state/state.ts';
import type { TenantContext } from '../../core/tenant/context.ts';
import type { BusinessThing } from '../../service/resource/business-thing.ts';
import { fromResources } from '../../service/resources.ts';

const wordings = fromResources((noun) => noun.things);
const tables: ReadonlySet<string> = new Set(wordings.map(({ table }) => table));

/** Returns the things that changes have brought, by the state that they led to. */
export function thingsOf(changes: Iterable<RowChange>, tenant: TenantContext): BusinessThing[] {
  const effects = effectsOf([...changes].filter(({ table }) => tables.has(table)));
  return wordings.flatMap(({ table, describe }) =>
    describe(
      effects.filter((effect) => effect.table === table && effect.change !== 'deleted'),
      tenant,
    ),
  );
}
