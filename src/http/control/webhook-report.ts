import * as z from 'zod';
import { deliveries } from '../../core/deliveries.ts';
import type { Delivery } from '../../core/deliveries.ts';
import { answer } from '../../core/endpoint.ts';
import type { Tenant } from '../../core/tenant.ts';
import { balanceSyncsOf, failureOf } from '../../resources/points/balances.ts';
import { addPoints } from '../../resources/points/follower.ts';
import { findingKinds } from '../../webhooks/report/findings.ts';
import type { Adjustment, Sync } from '../../webhooks/report/record.ts';
import { reportOn } from '../../webhooks/report/report.ts';
import { controlEndpoint, tenantQuery } from './control.ts';

const findingSchema = z.strictObject({
  kind: z.enum(findingKinds),
  weighs: z.enum(['fails', 'leaves open', 'notes']).describe('What it does to the verdict'),
  message: z.string(),
  webhookId: z.string().optional(),
  syncId: z.string().optional().describe('The id that POST /point-accounts/balances was answered with'),
  contactId: z.string().optional(),
  definitionId: z.int().optional(),
});

const reportSchema = z
  .strictObject({
    verdict: z.enum(['PASS', 'FAIL', 'INCONCLUSIVE']),
    adjustments: z.strictObject({
      total: z.int(),
      shown: z.int().describe('In a balance that came after them'),
      waiting: z.int().describe('No balance has come since'),
      lost: z.int().describe('The last balance does not show them'),
    }),
    balances: z.strictObject({
      calls: z.int(),
      set: z.int().describe('Of accounts that adjustments were sent for'),
      right: z.int(),
    }),
    attempts: z.strictObject({ total: z.int(), answered: z.int(), slowestMs: z.number() }),
    findings: z.array(findingSchema),
  })
  .meta({ id: 'PointMasterReport', description: 'How a point master did' });

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

export const webhookReportEndpoints = [
  controlEndpoint({
    id: 'reportOnPointMaster',
    method: 'GET',
    path: '/__admin/webhooks/report',
    tag: 'Control: webhooks',
    summary: 'How the point master did: whether every adjustment was followed by the right balance, once, and in time',
    query: tenantQuery,
    answers: { 200: reportSchema },
    retry: 'read',
    examples: [{ status: 200 }],
    handle: ({ tenant }) => {
      const { findings, ...report } = reportOn(adjustmentsOf(tenant), syncsOf(tenant));
      return answer(200, { ...report, findings: [...findings] });
    },
  }),
];
