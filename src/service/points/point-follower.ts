/** Point-follower mode: an external point master owns the points, and sends balances. */
import { enqueueWebhook } from '../../core/tenant/webhook-outbox.ts';
import type { TenantContext } from '../../core/tenant/context.ts';

/** Then purchases give no points, and points become no vouchers. */
export const isPointFollower = (tenant: TenantContext): boolean => tenant.settings.mode === 'point-follower';

/** True when points expire here: not where a point master owns them. */
export const pointsExpireHere = (tenant: TenantContext): boolean =>
  !isPointFollower(tenant) || tenant.assumption('A-64') === 'service';

/** Holds the one kind of event that point-follower mode is about. */
export const addPointsEvent = 'loyalty.addPoints';

/** Holds details of an adjustment by an automation that only a point master gets. */
export interface AutomationDetails {
  readonly reason?: string | undefined;
  readonly processId?: string | undefined;
  readonly workflowId?: string | undefined;
  readonly workflowName?: string | undefined;
}

/** Holds details of an adjustment by hand that only a point master gets. */
export interface ManualDetails {
  readonly userId?: string | undefined;
  readonly userName?: string | undefined;
}

/** Describes points to be added, or taken when they are below 0. */
export interface PointAdjustment extends AutomationDetails, ManualDetails {
  readonly contactId: string;
  readonly definitionId: string | number;
  readonly amount: number;
  readonly description: string | null;
  readonly by: 'automation' | 'manual';
}

/** Tells the point master of an adjustment, which is not applied here: it shows in the next balance. */
export function enqueueAdjustment(
  tenant: TenantContext,
  adjustment: PointAdjustment & { readonly definitionId: number },
): void {
  // What the webhook looks like and how it is delivered.
  for (const id of ['A-48', 'A-49', 'A-50']) tenant.assumption(id);
  enqueueWebhook(tenant, { eventType: addPointsEvent, payload: payloadOf(tenant, adjustment) });
}

/** Returns the decrypted payload (Events). */
function payloadOf(tenant: TenantContext, adjustment: PointAdjustment & { readonly definitionId: number }): object {
  const { contactId, amount, description, definitionId: pointDefinitionId } = adjustment;
  const shared = { contactId, amount, description: description ?? '' };
  if (adjustment.by === 'manual') {
    const { userId = user.id, userName = user.name } = adjustment;
    return { ...shared, source: 'Manual', pointDefinitionId, userId, userName };
  }
  const { reason = '', processId, workflowId = workflow.id, workflowName = workflow.name } = adjustment;
  return {
    ...shared,
    source: 'Automation',
    pointDefinitionId,
    reason,
    processId: processId ?? tenant.newId(),
    workflowId,
    workflowName,
  };
}

/** Names who adjusts when nobody is named. */
const user = { id: '5a0e7c1e-0007-4000-8000-000000000001', name: 'Customer service' };
const workflow = { id: '5a0e7c1e-0008-4000-8000-000000000001', name: 'Automation' };
