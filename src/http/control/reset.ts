import * as z from 'zod';
import { answer } from '../../core/endpoint.ts';
import { resetTenant } from '../../core/returning.ts';
import { scopes } from '../../core/scopes.ts';
import { warningsOfGoingBack } from './clock.ts';
import { controlEndpoint, tenantQuery } from './control.ts';
import { nameOf } from './formats.ts';

const resetBody = z.object({
  scopes: z
    .array(nameOf('scope', scopes), { error: `must be a list of ${scopes.join(', ')}` })
    .min(1, { error: 'name at least one scope, or send no body to reset everything' })
    .optional(),
});

export const resetEndpoints = [
  controlEndpoint({
    id: 'resetTenant',
    method: 'POST',
    path: '/__admin/reset',
    tag: 'Control: tenants',
    summary: 'Puts a tenant back to its start, all of it or the scopes named, as a whole or not at all',
    query: tenantQuery,
    body: resetBody,
    bodyRules: { optional: true },
    answers: {
      200: z.strictObject({ tenant: z.string(), scopes: z.array(z.enum(scopes)), notes: z.array(z.string()) }),
    },
    retry: 'idempotent',
    examples: [{ status: 200 }, { body: { scopes: ['state', 'queue'] }, status: 200 }],
    handle: ({ tenant }, { body }: { body: z.infer<typeof resetBody> | undefined }) => {
      const chosen = scopes.filter((scope) => body?.scopes?.includes(scope) ?? true);
      const before = tenant.clock.now();
      resetTenant(tenant, chosen);
      const wentBack = chosen.includes('state') ? [] : warningsOfGoingBack(tenant, before);
      return answer(200, {
        tenant: tenant.name,
        scopes: chosen,
        notes: wentBack.map(({ message }) => message),
      });
    },
  }),
];
