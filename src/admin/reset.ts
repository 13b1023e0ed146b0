import * as z from '../core/validation/deferred-zod.ts';
import { arrayOf, upTo } from '../core/validation/field-types.ts';
import { apiResponse } from '../core/exchange/endpoint.ts';
import { resetTenant, stateAfterReset } from '../core/tenant/reset.ts';
import { resetScopes } from '../core/tenant/reset-scopes.ts';
import { clockRewindWarnings } from './clock.ts';
import { adminEndpoint, tenantQuery } from './input/admin-context.ts';
import { enumWithSuggestion } from './input/field-formats.ts';

export type { ResetScope } from '../core/tenant/reset-scopes.ts';

const resetBody = z.object({
  scopes: arrayOf(enumWithSuggestion('scope', resetScopes), `a list of ${resetScopes.join(', ')}`)
    .max(...upTo(100, 'scopes'))
    .min(1, { error: 'name at least one scope, or send no body to reset everything' })
    .optional()
    .describe('Parts to reset (default: all)'),
});

export const resetEndpoints = [
  adminEndpoint({
    id: 'resetTenant',
    method: 'POST',
    path: '/__admin/reset',
    tag: 'Control: tenants',
    summary: 'Resets a tenant to its start, completely or by scope, atomically',
    query: tenantQuery,
    body: resetBody,
    bodyRules: { optional: true },
    responses: {
      200: z.strictObject({ tenant: z.string(), scopes: z.array(z.enum(resetScopes)), notes: z.array(z.string()) }),
    },
    retry: 'idempotent',
    examples: [{ status: 200 }, { body: { scopes: ['state', 'queue'] }, status: 200 }],
    handle: async ({ tenant }, { body }: { body: z.infer<typeof resetBody> | undefined }) => {
      const chosen = resetScopes.filter((scope) => body?.scopes?.includes(scope) ?? true);
      const before = await tenant.withStateSaved(stateAfterReset(tenant, chosen), 'tenant', () => {
        const now = tenant.clock.now();
        resetTenant(tenant, chosen);
        return now;
      });
      const wentBack = chosen.includes('state') ? [] : clockRewindWarnings(tenant, before);
      await tenant.scheduler.runDueInTurns();
      return apiResponse(200, {
        tenant: tenant.name,
        scopes: chosen,
        notes: wentBack.map(({ message }) => message),
      });
    },
  }),
];
