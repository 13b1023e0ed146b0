import * as z from 'zod';
import { answer } from '../../core/endpoint.ts';
import type { Answer } from '../../core/endpoint.ts';
import { Outcome } from '../../core/journal.ts';
import type { Tenant } from '../../core/tenant.ts';
import { assignChallenge } from '../../resources/challenges/operations.ts';
import { isPointFollower } from '../../resources/points/follower.ts';
import { adjustPoints, convertPoints, switchPendingPoints } from '../../resources/points/operations.ts';
import { assignPromotion } from '../../resources/promotions/operations.ts';
import { refusal } from '../../resources/refusals.ts';
import { detailsIn } from '../../resources/trigger.ts';
import type { Adjustment, Trigger } from '../../resources/trigger.ts';
import { sentTrigger } from '../../scenario/reading.ts';
import { controlEndpoint, tenantQuery } from './control.ts';
import type { Control } from './control.ts';
import { effectSchema, showEffects } from './effects.ts';
import { warningSchema } from './formats.ts';

/** Warns of details that nobody will be told. */
function checkDetails(tenant: Tenant, sent: Adjustment): void {
  const given = detailsIn(sent);
  if (given.length === 0 || isPointFollower(tenant)) return;
  const message = `${given.join(', ')}: nobody is told, as only a point master would be, in point-follower mode`;
  tenant.warn('details-unused', message);
}

/** Has the point master beside the sim send what changed, after the adjustments that are on their way to it. */
async function syncBalances({ tenant, master }: Pick<Control, 'tenant' | 'master'>): Promise<Answer> {
  if (!master) {
    const message =
      'There is no point master beside this simulator: start it with --with-master, or have your own send its balances.';
    throw refusal('Conflict', { message });
  }
  await tenant.outbound?.idle();
  const { calls } = await master.sync({ tenant: tenant.name });
  const failed = calls.filter(({ outcome }) => outcome === 'failed');
  const warnings = failed.map(({ status, message }) => {
    const why = `${status ?? 'no answer'}${message === null ? '' : `, ${message}`}`;
    return { code: 'sync-failed', message: `the point master could not send its balances: ${why}` };
  });
  const balances = calls.reduce((sum, { outcome, items }) => (outcome === 'sent' ? sum + items : sum), 0);
  return answer(200, { event: 'syncBalances', effects: [], warnings, balances });
}

function happen(tenant: Tenant, trigger: Exclude<Trigger, { readonly event: 'syncBalances' }>): unknown {
  switch (trigger.event) {
    case 'adjustPoints':
      checkDetails(tenant, trigger);
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
  controlEndpoint({
    id: 'triggerEvent',
    method: 'POST',
    path: '/__admin/trigger',
    tag: 'Control: inside the service',
    summary: 'Lets something happen inside the service that no call of its API can: points adjusted, a promotion given',
    query: tenantQuery,
    body: sentTrigger,
    answers: {
      200: z.strictObject({
        event: z.string(),
        effects: z.array(effectSchema),
        warnings: z.array(warningSchema),
        balances: z.int().optional().describe('How many balances the point master sent, at syncBalances'),
      }),
    },
    refusals: [
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
    handle: ({ tenant, master, note }, { body }) => {
      if (body.event === 'syncBalances') return syncBalances({ tenant, master });
      const outcome = new Outcome();
      tenant.call(outcome, () => happen(tenant, body));
      const { changes, warnings } = outcome;
      for (const { code, message } of warnings) note(`Tenant ${tenant.name}: ${body.event}: ${code}: ${message}.`);
      return answer(200, { event: body.event, effects: showEffects(changes), warnings: [...warnings] });
    },
  }),
];
