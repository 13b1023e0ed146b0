import * as z from '../core/validation/deferred-zod.ts';
import { apiResponse, isLongList } from '../core/exchange/endpoint.ts';
import type { ApiResponse } from '../core/exchange/endpoint.ts';
import { SideEffects } from '../core/exchange/exchange.ts';
import { nextTurn } from '../core/time/steps.ts';
import { apiError } from '../service/errors/catalog.ts';
import { applyTrigger, triggerErrors } from '../service/triggers.ts';
import { triggerInput } from '../scenario/validate.ts';
import { adminEndpoint, tenantQuery } from './input/admin-context.ts';
import type { AdminContext } from './input/admin-context.ts';
import { effectSchema, serializeEffects, warningSchema } from './serialize/effects.ts';

/** Lets the point master next to the sim send its balances, after the adjustments that are on their way to it. */
async function syncBalances({
  tenant,
  pointMaster,
}: Pick<AdminContext, 'tenant' | 'pointMaster'>): Promise<ApiResponse> {
  if (!pointMaster) {
    const message =
      'There is no point master with this simulator: start it with --with-point-master, or have your own send its balances.';
    throw apiError('Conflict', { message });
  }
  await tenant.webhookSender?.idle();
  const { calls } = await pointMaster.sync({ tenant: tenant.name });
  const failed = calls.filter(({ outcome }) => outcome === 'failed');
  const warnings = failed.map(({ status, message }) => {
    const why = `${status ?? 'no response'}${message === null ? '' : `, ${message}`}`;
    return { code: 'sync-failed', message: `the point master could not send its balances: ${why}` };
  });
  const balances = calls.reduce((sum, { outcome, items }) => (outcome === 'sent' ? sum + items : sum), 0);
  return apiResponse(200, { event: 'syncBalances', effects: [], warnings, balances });
}

export const triggerEndpoints = [
  adminEndpoint({
    id: 'triggerEvent',
    method: 'POST',
    path: '/__admin/trigger',
    tag: 'Control: inside the service',
    summary: 'Triggers an event inside the service that no request to its API can: adjusts points, assigns a promotion',
    query: tenantQuery,
    body: triggerInput,
    responses: {
      200: z.strictObject({
        event: z.string(),
        effects: z.array(effectSchema),
        warnings: z.array(warningSchema),
        balances: z.int().optional().describe('Counts the balances that the point master sent, for syncBalances'),
      }),
    },
    errors: [...triggerErrors, 'Conflict', 'ValidationError'],
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
    handle: async ({ tenant, pointMaster, warn }, { body }) => {
      if (body.event === 'syncBalances') return syncBalances({ tenant, pointMaster });
      const outcome = new SideEffects();
      const work = () => void applyTrigger(tenant, body);
      await tenant.takeInTurns(tenant.transactInSteps({ outcome, work, exchange: undefined }));
      const { changes, warnings } = outcome;
      if (isLongList(changes)) await nextTurn();
      for (const { code, message } of warnings) warn(`Tenant ${tenant.name}: ${body.event}: ${code}: ${message}.`);
      return apiResponse(200, { event: body.event, effects: serializeEffects(changes), warnings: [...warnings] });
    },
  }),
];
