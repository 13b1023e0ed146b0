import * as z from '../core/validation/deferred-zod.ts';
import { finishInTurns } from '../core/time/steps.ts';
import { apiResponse } from '../core/exchange/endpoint.ts';
import { basisSchema, findingLevelSchema } from '../core/validation/finding.ts';
import { auditFindingKinds } from '../webhooks/audit/findings.ts';
import { auditPointMasterInSteps } from '../webhooks/audit/audit.ts';
import { adminEndpoint, tenantQuery } from './input/admin-context.ts';

const findingSchema = z.strictObject({
  kind: z.enum(auditFindingKinds),
  level: findingLevelSchema,
  message: z.string(),
  basis: basisSchema,
  webhookId: z.string().optional(),
  syncId: z.string().optional().describe('The id in the response of POST /point-accounts/balances'),
  contactId: z.string().optional(),
  definitionId: z.int().optional(),
});

const reportSchema = z
  .strictObject({
    verdict: z.enum(['PASS', 'FAIL', 'INCONCLUSIVE']),
    adjustments: z.strictObject({
      total: z.int(),
      shown: z.int().describe('Adjustments that a later balance shows'),
      waiting: z.int().describe('Adjustments without a later balance'),
      lost: z.int().describe('Adjustments that the last balance does not show'),
    }),
    balances: z.strictObject({
      requests: z.int(),
      set: z.int().describe('Balances of accounts that adjustments were sent for'),
      right: z.int(),
    }),
    attempts: z.strictObject({ total: z.int(), responded: z.int(), slowestMs: z.number() }),
    findings: z.array(findingSchema),
  })
  .meta({ id: 'PointMasterReport', description: 'The verdict on a point master' });

export const webhookReportEndpoints = [
  adminEndpoint({
    id: 'reportOnPointMaster',
    method: 'GET',
    path: '/__admin/webhooks/report',
    tag: 'Control: webhooks',
    summary: 'Judges the point master: whether the right balance followed every adjustment, once, and in time',
    query: tenantQuery,
    responses: { 200: reportSchema },
    retry: 'safe',
    examples: [{ status: 200 }],
    handle: async ({ tenant }) => {
      const { findings, ...report } = await finishInTurns(auditPointMasterInSteps(tenant));
      return apiResponse(200, { ...report, findings: [...findings] });
    },
  }),
];
