import * as z from 'zod';
import { answer } from '../../core/endpoint.ts';
import { sentScenario } from '../../scenario/reading.ts';
import { scenarioOf } from '../../scenario/scenario.ts';
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
    body: sentScenario,
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
