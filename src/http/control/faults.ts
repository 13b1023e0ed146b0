import * as z from 'zod';
import { answer } from '../../core/endpoint.ts';
import type { Tenant } from '../../core/tenant.ts';
import { ruleNotes } from '../../scenario/notes.ts';
import { sentRule } from '../../scenario/reading.ts';
import { scenarioOf } from '../../scenario/scenario.ts';
import type { ActiveRule } from '../../scenario/scenario.ts';
import { shownWritten } from '../../scenario/shown.ts';
import type { WrittenRule } from '../../scenario/schema.ts';
import { invalidField, refusal } from '../../resources/refusals.ts';
import { tenantObstacle } from '../tenant.ts';
import { controlEndpoint, tenantQuery } from './control.ts';
import type { Control } from './control.ts';

const tag = 'Control: faults';

export const activeRuleSchema = z
  .strictObject({
    id: z.string(),
    origin: z.enum(['scenario', 'added']).describe('Whether the scenario has it, or it was added while running'),
    matched: z.int().describe('How many calls it matched'),
    hits: z.int().describe('How often it fired'),
    left: z.int().nullable().describe('How often it may still fire; null: without an end'),
    rule: z.looseObject({}).describe('As it was written; keys are hidden'),
    notes: z.array(z.string()).describe('What may not be meant as it is written'),
  })
  .meta({ id: 'ActiveRule', description: 'A rule, and what has become of it so far' });

export const showRule = ({ rule, origin, matched, hits }: ActiveRule): z.infer<typeof activeRuleSchema> => ({
  id: rule.id,
  origin,
  matched,
  hits,
  left: Number.isFinite(rule.limit) ? rule.limit - hits : null,
  rule: shownWritten(rule.written),
  notes: ruleNotes(rule.written),
});

function addFault(control: Control, written: WrittenRule, tenantNamed: string | undefined): ActiveRule {
  const scenario = scenarioOf(tenantFor(control, written, tenantNamed));
  if (scenario.has(written.id)) {
    const message = `There is a rule "${written.id}" already; give this one another id or none, or DELETE /__admin/faults/${written.id} first.`;
    throw refusal('Conflict', { message });
  }
  return scenario.add(written);
}

/** The tenant that the call names, or else the rule. */
function tenantFor(control: Control, { match }: WrittenRule, named: string | undefined): Tenant {
  const { tenants, tenant } = control;
  const meant = match?.tenant;
  if (meant === undefined || meant === tenant.name) return tenant;
  if (named !== undefined || tenant !== tenants.default) {
    throw invalidField(
      'match.tenant',
      `is "${meant}", and the rule is added for "${tenant.name}": leave one of them out`,
    );
  }
  const obstacle = tenants.get(meant) ? undefined : tenantObstacle(meant, tenants);
  if (obstacle !== undefined) throw invalidField('match.tenant', obstacle);
  return tenants.obtain(meant);
}

function removeFault({ tenant }: Control, id: string): void {
  const scenario = scenarioOf(tenant);
  if (scenario.remove(id)) return;
  const isPlanned = scenario.has(id);
  const message = isPlanned
    ? `The rule "${id}" is part of the scenario; PUT /__admin/scenario without it, or DELETE /__admin/scenario.`
    : `There is no rule "${id}"; GET /__admin/faults lists them.`;
  throw refusal(isPlanned ? 'Conflict' : 'NotFound', { message });
}

export const faultEndpoints = [
  controlEndpoint({
    id: 'listFaults',
    method: 'GET',
    path: '/__admin/faults',
    tag,
    summary: 'The rules in force, in the order in which they are asked',
    query: tenantQuery,
    answers: { 200: z.strictObject({ rules: z.array(activeRuleSchema) }) },
    retry: 'read',
    examples: [{ status: 200 }],
    handle: ({ tenant }) => answer(200, { rules: scenarioOf(tenant).rules.map(showRule) }),
  }),
  controlEndpoint({
    id: 'addFault',
    method: 'POST',
    path: '/__admin/faults',
    tag,
    summary: 'Adds one rule now, before all others',
    query: tenantQuery,
    body: sentRule,
    answers: { 201: activeRuleSchema },
    refusals: ['Conflict'],
    retry: 'unkeyed',
    examples: [
      {
        body: { match: { endpoint: 'createReceipt' }, fault: { phase: 'after', respond: 'none', end: 'rst' } },
        status: 201,
      },
      { body: { match: { method: 'GET', path: '/api/v3/contacts/{id}' }, fault: ['500', '500'] }, status: 201 },
    ],
    handle: (control, { body, query }) => answer(201, showRule(addFault(control, body, query.tenant))),
  }),
  controlEndpoint({
    id: 'clearFaults',
    method: 'DELETE',
    path: '/__admin/faults',
    tag,
    summary: 'Takes away all rules that were added, and ends the calls that a fault holds up; the scenario stays',
    query: tenantQuery,
    answers: { 200: z.strictObject({ removed: z.int() }) },
    retry: 'idempotent',
    examples: [{ status: 200 }],
    handle: ({ tenant }) => {
      const removed = scenarioOf(tenant).clearAdded();
      tenant.endHeld();
      return answer(200, { removed });
    },
  }),
  controlEndpoint({
    id: 'removeFault',
    method: 'DELETE',
    path: '/__admin/faults/{id}',
    tag,
    summary: 'Takes away one rule that was added',
    query: tenantQuery,
    answers: { 200: z.strictObject({ removed: z.string() }) },
    refusals: ['NotFound', 'Conflict'],
    retry: 'flip',
    examples: [{ params: { id: 'none' }, status: 404 }],
    handle: (control, { params: { id = '' } }) => {
      removeFault(control, id);
      return answer(200, { removed: id });
    },
  }),
];
