import * as z from 'zod';
import { apiResponse } from '../core/exchange/endpoint.ts';
import type { ApiResponse } from '../core/exchange/endpoint.ts';
import { SideEffects } from '../core/exchange/exchange.ts';
import type { Tenant } from '../core/tenant/tenant.ts';
import { assignChallenge } from '../service/challenges/operations.ts';
import { isPointFollower } from '../service/points/point-follower.ts';
import { adjustPoints, convertPoints, switchPendingPoints } from '../service/points/operations.ts';
import { assignPromotion } from '../service/promotions/operations.ts';
import { apiError } from '../service/errors/catalog.ts';
import { adjustmentDetailNames } from '../service/trigger/schema.ts';
import type { AdjustmentTrigger, Trigger } from '../service/trigger/schema.ts';
import { triggerInput } from '../scenario/validate.ts';
import { adminEndpoint, tenantQuery } from './input/admin-context.ts';
import type { AdminContext } from './input/admin-context.ts';
import { effectSchema, serializeEffects, warningSchema } from './serialize/effects.ts';

/** Warns of details that nobody will be told. */
function warnUnusedDetails(tenant: Tenant, sent: AdjustmentTrigger): void {
  const given = adjustmentDetailNames(sent);
  if (given.length === 0 || isPointFollower(tenant)) return;
  const message = `${given.join(', ')}: nobody is told, as only a point master would be, in point-follower mode`;
  tenant.warn('details-unused', message);
}

/** Has the point master beside the sim send what changed, after the adjustments that are on their way to it. */
async function syncBalances({
  tenant,
  pointMaster,
}: Pick<AdminContext, 'tenant' | 'pointMaster'>): Promise<ApiResponse> {
  if (!pointMaster) {
    const message =
      'There is no point master beside this simulator: start it with --with-point-master, or have your own send its balances.';
    throw apiError('Conflict', { message });
  }
  await tenant.webhookSender?.idle();
  const { calls } = await pointMaster.sync({ tenant: tenant.name });
  const failed = calls.filter(({ outcome }) => outcome === 'failed');
  const warnings = failed.map(({ status, message }) => {
    const why = `${status ?? 'no answer'}${message === null ? '' : `, ${message}`}`;
    return { code: 'sync-failed', message: `the point master could not send its balances: ${why}` };
  });
  const balances = calls.reduce((sum, { outcome, items }) => (outcome === 'sent' ? sum + items : sum), 0);
  return apiResponse(200, { event: 'syncBalances', effects: [], warnings, balances });
}

function applyTrigger(tenant: Tenant, trigger: Exclude<Trigger, { readonly event: 'syncBalances' }>): unknown {
  switch (trigger.event) {
    case 'adjustPoints':
      warnUnusedDetails(tenant, trigger);
      return adjustPoints(tenant, trigger);
    case 'assignPromotion':
      return assignPromotion(tenant, trigger);
    case 'assignChallenge':
      return assignChallenge(tenant, trigger);
    case 'convertPoints':
      return convertPoints(tenant, trigger);
    case 'switchPendingPoints':
      return switchPendingPoints(tenant, trigger.definitionId, trigger.active);
  }
}

export const triggerEndpoints = [
  adminEndpoint({
    id: 'triggerEvent',
    method: 'POST',
    path: '/__admin/trigger',
    tag: 'Control: inside the service',
    summary: 'Lets something happen inside the service that no call of its API can: points adjusted, a promotion given',
    query: tenantQuery,
    body: triggerInput,
    responses: {
      200: z.strictObject({
        event: z.string(),
        effects: z.array(effectSchema),
        warnings: z.array(warningSchema),
        balances: z.int().optional().describe('How many balances the point master sent, at syncBalances'),
      }),
    },
    errors: [
      'ContactNotFound',
      'MultipleMatches',
      'PointDefinitionNotFound',
      'PromotionNotFound',
      'ChallengeDefinitionNotFound',
      'NewPointSystemNotActive',
      'Conflict',
      'ValidationError',
    ],
    retry: 'unkeyed',
    examples: [
      {
        body: {
          event: 'adjustPoints',
          contactId: '5a0e7c1e-0001-4000-8000-000000000001',
          definitionId: 2,
          amount: 25,
          description: 'For the long wait',
          by: 'manual',
        },
        status: 200,
      },
    ],
    handle: ({ tenant, pointMaster, warn }, { body }) => {
      if (body.event === 'syncBalances') return syncBalances({ tenant, pointMaster });
      const outcome = new SideEffects();
      tenant.transact(outcome, () => applyTrigger(tenant, body));
      const { changes, warnings } = outcome;
      for (const { code, message } of warnings) warn(`Tenant ${tenant.name}: ${body.event}: ${code}: ${message}.`);
      return apiResponse(200, { event: body.event, effects: serializeEffects(changes), warnings: [...warnings] });
    },
  }),
];
