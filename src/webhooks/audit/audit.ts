/** Audits a tenant's point master: the adjustments sent to it, and the balances it set. */
import { normalizeGuid } from '../../core/lib/random.ts';
import { logicalClockSequence, webhookDeliveries } from '../../core/tenant/webhook-outbox.ts';
import type { WebhookDelivery } from '../../core/tenant/webhook-outbox.ts';
import { finish } from '../../core/time/steps.ts';
import type { Steps } from '../../core/time/steps.ts';
import type { Tenant } from '../../core/tenant/tenant.ts';
import { listBalanceSyncs, balanceSyncFailure, unsetBalancesOf } from '../../service/points/balance-sync.ts';
import { addPointsEvent } from '../../service/points/point-follower.ts';
import type { AuditedAdjustment, AuditedSync } from './types.ts';
import { createAuditReport } from './report.ts';
import type { AuditReport } from './report.ts';

export const auditPointMaster = (tenant: Tenant): AuditReport => finish(auditPointMasterInSteps(tenant));

/** Does the same in steps. */
export const auditPointMasterInSteps = (tenant: Tenant): Steps<AuditReport> =>
  createAuditReport({ adjustments: adjustmentsOf(tenant), syncs: syncsOf(tenant), gap: lastGapOf(tenant) });

/** Returns the last turn of which there is no record, since a reset or a snapshot took it away; 0 if there is none. */
function lastGapOf(tenant: Tenant): number {
  const attempts = tenant.listRows(webhookDeliveries, 'all', 'all').flatMap((delivery) => delivery.attempts);
  const turns = [...attempts.map((attempt) => attempt.turns[1]), ...listBalanceSyncs(tenant).map(({ turn }) => turn)];
  const recorded = new Set(turns);
  let turn = tenant.state.sequences[logicalClockSequence] ?? 0;
  while (turn > 0 && recorded.has(turn)) turn -= 1;
  return turn;
}

/** Describes the payload of a delivery of this kind, which the operation that announced it made. */
type DeliveredAdjustment = { readonly contactId: string; readonly pointDefinitionId: number; readonly amount: number };

function adjustmentOf({ id, status, attempts, createdAt, payload }: WebhookDelivery): AuditedAdjustment {
  const { contactId, pointDefinitionId: definitionId, amount } = payload as DeliveredAdjustment;
  return { id, status, attempts, createdAt, contactId, definitionId, amount };
}

const adjustmentsOf = (tenant: Tenant): AuditedAdjustment[] =>
  [...tenant.list(webhookDeliveries, 'all', 'all')]
    .flatMap(({ key }) => tenant.get(webhookDeliveries, key) ?? [])
    .filter(({ eventType }) => eventType === addPointsEvent)
    .map(adjustmentOf);

const syncsOf = (tenant: Tenant): AuditedSync[] =>
  listBalanceSyncs(tenant).map((sync) => ({
    id: sync.id,
    turn: sync.turn,
    failure: balanceSyncFailure(tenant, sync),
    unset: unsetBalancesOf(tenant, sync).map(({ contactId, definitionId }) => ({
      contactId: normalizeGuid(contactId) ?? contactId,
      definitionId,
    })),
    items: sync.items,
  }));
