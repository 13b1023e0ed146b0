/** How a tenant's point master did, by what the tenant sent it and what balances came. */
import { deliveries } from '../../core/deliveries.ts';
import type { Delivery } from '../../core/deliveries.ts';
import type { Tenant } from '../../core/tenant.ts';
import { balanceSyncsOf, failureOf } from '../../resources/points/balances.ts';
import { addPoints } from '../../resources/points/follower.ts';
import type { Adjustment, Sync } from './record.ts';
import { reportOn } from './report.ts';
import type { Report } from './report.ts';

export const reportOnMaster = (tenant: Tenant): Report => reportOn(adjustmentsOf(tenant), syncsOf(tenant));

/** The payload of a delivery of this kind, which the operation that announced it made. */
type Told = { readonly contactId: string; readonly pointDefinitionId: number; readonly amount: number };

function adjustmentOf({ id, status, attempts, createdAt, payload }: Delivery): Adjustment {
  const { contactId, pointDefinitionId: definitionId, amount } = payload as Told;
  return { id, status, attempts, createdAt, contactId, definitionId, amount };
}

const adjustmentsOf = (tenant: Tenant): Adjustment[] =>
  [...tenant.list(deliveries, 'all', 'all')]
    .flatMap(({ key }) => tenant.get(deliveries, key) ?? [])
    .filter(({ eventType }) => eventType === addPoints)
    .map(adjustmentOf);

const syncsOf = (tenant: Tenant): Sync[] =>
  balanceSyncsOf(tenant).map((sync) => ({
    id: sync.id,
    turn: sync.turn,
    failure: failureOf(tenant, sync),
    items: sync.items,
  }));
