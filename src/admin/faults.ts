import * as z from '../core/validation/deferred-zod.ts';
import { apiResponse } from '../core/exchange/endpoint.ts';
import type { Tenant } from '../core/tenant/tenant.ts';
import { finishInTurns } from '../core/time/steps.ts';
import { ruleWarnings } from '../scenario/lint/rule-warnings.ts';
import { ruleInput } from '../scenario/validate.ts';
import { scenarioOf } from '../scenario/scenario.ts';
import { faultKinds } from '../faults/fault-kinds.ts';
import type { FaultKind } from '../faults/kinds/fault-kind.ts';
import type { ActiveFaultRule } from '../faults/fault-rules.ts';
import type { RuleSpec } from '../faults/rule-schema.ts';
import { apiError, invalidFieldError } from '../service/errors/catalog.ts';
import { tenantRejectionReason } from '../http/pipeline/tenant-resolution.ts';
import { adminEndpoint, tenantQuery } from './input/admin-context.ts';
import type { AdminContext } from './input/admin-context.ts';
import { scenarioFileFields } from './request-actions/request-scenario.ts';
import { activeRuleFields, ruleEndpoints, serializeRule } from './rule-endpoints.ts';

const tag = 'Control: faults';

export const activeRuleSchema = z
  .strictObject({
    ...activeRuleFields('requests'),
    notes: z.array(z.string()).describe('Warnings about what is probably a mistake in the rule'),
  })
  .meta({ id: 'ActiveRule', description: 'A rule, and how often it has matched and fired' });

export const serializeActiveRule = (active: ActiveFaultRule): z.infer<typeof activeRuleSchema> => ({
  ...serializeRule(active),
  notes: ruleWarnings(active.rule.spec),
});

/** Returns the tenant that the call names, or else the one that the rule names. */
function tenantForRule({ tenants, tenant }: AdminContext, { match }: RuleSpec, named: string | undefined): Tenant {
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
  ...ruleEndpoints({
    name: 'Fault',
    noun: 'rule',
    path: '/__admin/faults',
    tag,
    rulesOf: (tenant) => scenarioOf(tenant).faults,
    body: ruleInput,
    // The body of its response may be as long as a client should have to read.
    maxTextLength: Number.POSITIVE_INFINITY,
    response: activeRuleSchema,
    serialize: serializeActiveRule,
    examples: [
      {
        body: { match: { endpoint: 'createReceipt' }, fault: { phase: 'after', respond: 'none', end: 'reset' } },
        status: 201,
      },
      { body: { match: { method: 'GET', path: '/api/v3/contacts/{id}' }, fault: ['500', '500'] }, status: 201 },
    ],
    tenantFor: tenantForRule,
    alsoClears: ', and releases the requests that a fault holds up',
    onCleared: (tenant) => tenant.releaseHeldRequests(),
  }),
  adminEndpoint({
    id: 'writeFaultScenario',
    method: 'GET',
    path: '/__admin/faults/{id}/scenario',
    tag,
    summary:
      'Writes a scenario file from a rule, with a request that it hit or would hit as steps, otherwise an example',
    query: tenantQuery,
    responses: { 200: z.strictObject(scenarioFileFields) },
    errors: ['NotFound', 'Conflict'],
    retry: 'safe',
    examples: [{ params: { id: 'none' }, status: 404 }],
    handle: async ({ tenant, endpoints }, { params: { id = '' } }) => {
      const active = scenarioOf(tenant).rules.find(({ rule }) => rule.id === id);
      if (!active)
        throw apiError('NotFound', { message: `There is no rule "${id}"; GET /__admin/scenario lists them.` });
      const { ruleScenario } = await import('../scenario/from-request/rule-scenario.ts');
      const scenario = await finishInTurns(ruleScenario({ rule: active.rule, tenant, endpoints }));
      if (scenario) return apiResponse(200, { file: scenario.file, text: scenario.text });
      const message = `No request meets the rule "${id}" so far, and no example would: send one, then write the file.`;
      throw apiError('Conflict', { message });
    },
  }),
];
