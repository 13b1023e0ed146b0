import * as z from 'zod';
import { apiResponse } from '../core/exchange/endpoint.ts';
import type { Tenant } from '../core/tenant/tenant.ts';
import { ruleWarnings } from '../scenario/lint/rule-warnings.ts';
import { ruleInput } from '../scenario/validate.ts';
import { scenarioOf } from '../scenario/scenario.ts';
import { faultKinds } from '../faults/fault-kinds.ts';
import type { FaultKind } from '../faults/kinds/fault-kind.ts';
import type { ActiveFaultRule } from '../faults/fault-rules.ts';
import { redactSpec } from '../scenario/redact-scenario.ts';
import type { RuleSpec } from '../faults/rule-schema.ts';
import { invalidFieldError, apiError } from '../service/errors/catalog.ts';
import { tenantRejectionReason } from '../http/pipeline/tenant-resolution.ts';
import { adminEndpoint, tenantQuery } from './input/admin-context.ts';
import type { AdminContext } from './input/admin-context.ts';

const tag = 'Control: faults';

export const activeRuleSchema = z
  .strictObject({
    id: z.string(),
    origin: z.enum(['scenario', 'added']).describe('scenario: part of the scenario; added: added at run time'),
    matched: z.int().describe('Number of requests that it matched'),
    fired: z.int().describe('Number of times that it fired'),
    remaining: z.int().nullable().describe('Number of times that it may still fire; null: unlimited'),
    rule: z.looseObject({}).describe('The rule as written, with keys hidden'),
    notes: z.array(z.string()).describe('Warnings about what is probably a mistake in the rule'),
  })
  .meta({ id: 'ActiveRule', description: 'A rule, and how often it has matched and fired' });

export const serializeActiveRule = ({
  rule,
  origin,
  matched,
  fired,
}: ActiveFaultRule): z.infer<typeof activeRuleSchema> => ({
  id: rule.id,
  origin,
  matched,
  fired,
  remaining: Number.isFinite(rule.limit) ? rule.limit - fired : null,
  rule: redactSpec(rule.written),
  notes: ruleWarnings(rule.written),
});

function addFault(control: AdminContext, written: RuleSpec, tenantNamed: string | undefined): ActiveFaultRule {
  const { faults } = scenarioOf(tenantForRule(control, written, tenantNamed));
  if (faults.has(written.id)) {
    const message = `There is a rule "${written.id}" already; give this one another id or none, or DELETE /__admin/faults/${written.id} first.`;
    throw apiError('Conflict', { message });
  }
  return faults.add(written);
}

/** Returns the tenant that the call names, or else the one that the rule names. */
function tenantForRule(control: AdminContext, { match }: RuleSpec, named: string | undefined): Tenant {
  const { tenants, tenant } = control;
  const meant = match?.tenant;
  if (meant === undefined || meant === tenant.name) return tenant;
  if (named !== undefined || tenant !== tenants.default) {
    throw invalidFieldError(
      'match.tenant',
      `is "${meant}", and the rule is added for "${tenant.name}": leave one of them out`,
    );
  }
  const reason = tenants.get(meant) ? undefined : tenantRejectionReason(meant, tenants);
  if (reason !== undefined) throw invalidFieldError('match.tenant', reason);
  return tenants.getOrCreate(meant);
}

function deleteFault({ tenant }: AdminContext, id: string): void {
  const { faults } = scenarioOf(tenant);
  if (faults.remove(id)) return;
  const isPlanned = faults.has(id);
  const message = isPlanned
    ? `The rule "${id}" is part of the scenario; PUT /__admin/scenario without it, or DELETE /__admin/scenario.`
    : `There is no rule "${id}"; GET /__admin/faults lists them.`;
  throw apiError(isPlanned ? 'Conflict' : 'NotFound', { message });
}

export const faultKindSchema = z
  .strictObject({
    name: z.string().describe('The value of a fault’s `respond`'),
    description: z.string().describe('Says what is sent'),
    aliases: z.array(z.string()).describe('Names from other tools that stand for such a fault'),
    example: z.looseObject({}).describe('A fault of this kind'),
    choices: z.array(z.strictObject({ value: z.string(), label: z.string(), fault: z.looseObject({}) })),
  })
  .meta({ id: 'FaultKind', description: 'A way to respond when a fault hits a request' });

const serializeFaultKind = ({ name, description, aliases = {}, example, choices }: FaultKind) => ({
  name,
  description,
  aliases: Object.keys(aliases),
  example: { ...example },
  choices: choices.map((choice) => ({ ...choice, fault: { ...choice.fault } })),
});

export const faultEndpoints = [
  adminEndpoint({
    id: 'listFaultKinds',
    method: 'GET',
    path: '/__admin/fault-kinds',
    tag,
    summary: 'Lists the ways to respond when a fault hits a request',
    responses: { 200: z.strictObject({ kinds: z.array(faultKindSchema) }) },
    retry: 'safe',
    examples: [{ status: 200 }],
    handle: () => apiResponse(200, { kinds: faultKinds.map(serializeFaultKind) }),
  }),
  adminEndpoint({
    id: 'listFaults',
    method: 'GET',
    path: '/__admin/faults',
    tag,
    summary: 'Lists the active rules in the order in which they are tried',
    query: tenantQuery,
    responses: { 200: z.strictObject({ rules: z.array(activeRuleSchema) }) },
    retry: 'safe',
    examples: [{ status: 200 }],
    handle: ({ tenant }) => apiResponse(200, { rules: scenarioOf(tenant).rules.map(serializeActiveRule) }),
  }),
  adminEndpoint({
    id: 'addFault',
    method: 'POST',
    path: '/__admin/faults',
    tag,
    summary: 'Adds a rule before all others',
    query: tenantQuery,
    body: ruleInput,
    responses: { 201: activeRuleSchema },
    errors: ['Conflict'],
    retry: 'unkeyed',
    examples: [
      {
        body: { match: { endpoint: 'createReceipt' }, fault: { phase: 'after', respond: 'none', end: 'reset' } },
        status: 201,
      },
      { body: { match: { method: 'GET', path: '/api/v3/contacts/{id}' }, fault: ['500', '500'] }, status: 201 },
    ],
    handle: (control, { body, query }) => apiResponse(201, serializeActiveRule(addFault(control, body, query.tenant))),
  }),
  adminEndpoint({
    id: 'clearFaults',
    method: 'DELETE',
    path: '/__admin/faults',
    tag,
    summary:
      'Deletes the rules that were added at run time, and releases the requests that a fault holds up; the rules of the scenario stay',
    query: tenantQuery,
    responses: { 200: z.strictObject({ deleted: z.int() }) },
    retry: 'idempotent',
    examples: [{ status: 200 }],
    handle: ({ tenant }) => {
      const deleted = scenarioOf(tenant).faults.clearAdded();
      tenant.releaseHeldRequests();
      return apiResponse(200, { deleted });
    },
  }),
  adminEndpoint({
    id: 'deleteFault',
    method: 'DELETE',
    path: '/__admin/faults/{id}',
    tag,
    summary: 'Deletes a rule that was added at run time',
    query: tenantQuery,
    responses: { 200: z.strictObject({ deleted: z.string() }) },
    errors: ['NotFound', 'Conflict'],
    retry: 'once',
    examples: [{ params: { id: 'none' }, status: 404 }],
    handle: (control, { params: { id = '' } }) => {
      deleteFault(control, id);
      return apiResponse(200, { deleted: id });
    },
  }),
];
