/** Audits a tenant's point master: the adjustments sent to it, and the balances it set. */
import { normalizeGuid } from '../../core/lib/random.ts';
import { logicalClockSequence, webhookDeliveries } from '../../core/tenant/webhook-outbox.ts';
import type { WebhookDelivery } from '../../core/tenant/webhook-outbox.ts';
import { getRow, orderedListOf } from '../../core/state/state.ts';
import type { State } from '../../core/state/state.ts';
import { finish, forEachInSteps } from '../../core/time/steps.ts';
import type { Steps } from '../../core/time/steps.ts';
import type { Tenant } from '../../core/tenant/tenant.ts';
import { listBalanceSyncs, balanceSyncFailure, unsetBalancesOf } from '../../service/points/balance-sync.ts';
import { addPointsEvent } from '../../service/points/point-follower.ts';
import type { AuditedAdjustment, AuditedSync } from './types.ts';
import { createAuditReport } from './report.ts';
import type { AuditReport } from './report.ts';

export const auditPointMaster = (tenant: Tenant): AuditReport => finish(auditPointMasterInSteps(tenant));

/** Does the same in steps, by what is on record now. */
export const auditPointMasterInSteps = (tenant: Tenant): Steps<AuditReport> =>
  auditRecords(tenant.state, syncsOf(tenant));

function* auditRecords(state: State, syncs: readonly AuditedSync[]): Steps<AuditReport> {
  const deliveries = yield* deliveriesIn(state);
  const adjustments: AuditedAdjustment[] = [];
  const recorded = new Set(syncs.map(({ turn }) => turn));
  yield* forEachInSteps(deliveries, (delivery) => {
    if (delivery.eventType === addPointsEvent) adjustments.push(adjustmentOf(delivery));
    for (const { turns } of delivery.attempts) recorded.add(turns[1]);
  });
  const gap = lastGapBefore(state.sequences[logicalClockSequence] ?? 0, recorded);
  return yield* createAuditReport({ adjustments, syncs, gap });
}

function* deliveriesIn(state: State): Steps<WebhookDelivery[]> {
  const deliveries: WebhookDelivery[] = [];
  yield* forEachInSteps([...orderedListOf(state, webhookDeliveries, 'all', 'all')], ({ key }) => {
    const delivery = getRow(state, webhookDeliveries, key);
    if (delivery) deliveries.push(delivery);
  });
  return deliveries;
}

/** Returns the last turn of which there is no record, since a reset or a snapshot took it away; 0 if there is none. */
function lastGapBefore(last: number, recorded: ReadonlySet<number>): number {
  let turn = last;
  while (turn > 0 && recorded.has(turn)) turn -= 1;
  return turn;
}

/** Describes the payload of a delivery of this kind, which the operation that announced it made. */
type DeliveredAdjustment = { readonly contactId: string; readonly pointDefinitionId: number; readonly amount: number };

function adjustmentOf({ id, status, attempts, createdAt, payload }: WebhookDelivery): AuditedAdjustment {
  const { contactId, pointDefinitionId: definitionId, amount } = payload as DeliveredAdjustment;
  return { id, status, attempts, createdAt, contactId, definitionId, amount };
}

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
