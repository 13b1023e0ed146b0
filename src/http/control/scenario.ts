import * as z from 'zod';
import { answer } from '../../core/endpoint.ts';
import type { FieldError } from '../../core/errors.ts';
import { alsoWrongInScenario } from '../../scenario/reading.ts';
import { scenarioOf } from '../../scenario/scenario.ts';
import { scenarioSchema } from '../../scenario/scenario-schema.ts';
import { shownRule } from '../../scenario/secrets.ts';
import { controlEndpoint, tenantQuery } from './control.ts';
import type { Control } from './control.ts';
import { activeRuleSchema, showRule } from './faults.ts';

const tag = 'Control: faults';

const activeScenarioSchema = z
  .strictObject({
    scenario: z.looseObject({}).describe('As it was written'),
    rules: z.array(activeRuleSchema).describe('In the order in which they are asked, those added while running first'),
  })
  .meta({ id: 'ActiveScenario' });

function showScenario({ tenant }: Control): z.infer<typeof activeScenarioSchema> {
  const { written, rules } = scenarioOf(tenant);
  return {
    scenario: { ...written, ...(written.rules && { rules: written.rules.map(shownRule) }) },
    rules: rules.map(showRule),
  };
}

/** What says how a tenant is set up, which a tenant that is there already is. */
const setup = ['fixtures', 'mode', 'now', 'seed', 'queueDelay', 'fieldValidation', 'assumptions'] as const;

const setupErrors = (sent: unknown): FieldError[] =>
  setup
    .filter((name) => typeof sent === 'object' && sent !== null && name in sent)
    .map((field) => ({
      field,
      errorDescription:
        'sets a tenant up, and this one is there already: name it at POST /__admin/tenants, or leave it out',
    }));

export const scenarioEndpoints = [
  controlEndpoint({
    id: 'getScenario',
    method: 'GET',
    path: '/__admin/scenario',
    tag,
    summary: 'The active scenario, and how often its rules have matched and fired',
    query: tenantQuery,
    answers: { 200: activeScenarioSchema },
    retry: 'read',
    examples: [{ status: 200 }],
    handle: (control) => answer(200, showScenario(control)),
  }),
  controlEndpoint({
    id: 'replaceScenario',
    method: 'PUT',
    path: '/__admin/scenario',
    tag,
    summary: 'Takes up another scenario, with its counters at zero; rules that were added stay',
    query: tenantQuery,
    body: scenarioSchema,
    bodyRules: { alsoWrong: (_, sent) => [...alsoWrongInScenario(sent), ...setupErrors(sent)] },
    answers: { 200: activeScenarioSchema },
    retry: 'idempotent',
    examples: [
      {
        body: { name: 'outage', rules: [{ match: { path: '/api/v3/receipts' }, fault: '504', times: 2 }] },
        status: 200,
      },
    ],
    handle: (control, { body }) => {
      scenarioOf(control.tenant).replace(body);
      return answer(200, showScenario(control));
    },
  }),
  controlEndpoint({
    id: 'clearScenario',
    method: 'DELETE',
    path: '/__admin/scenario',
    tag,
    summary: 'Clears the scenario; rules that were added stay',
    query: tenantQuery,
    answers: { 200: activeScenarioSchema },
    retry: 'idempotent',
    examples: [{ status: 200 }],
    handle: (control) => {
      scenarioOf(control.tenant).replace({});
      return answer(200, showScenario(control));
    },
  }),
];
