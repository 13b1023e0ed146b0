/** Writes a scenario file from a request of the journal. */
import * as z from '../../core/validation/deferred-zod.ts';
import { apiResponse } from '../../core/exchange/endpoint.ts';
import { finishInTurns } from '../../core/time/steps.ts';
import { objectOf } from '../../core/validation/field-types.ts';
import { ruleInput } from '../../scenario/validate.ts';
import { invalidFieldError } from '../../service/errors/catalog.ts';
import { faultSchema } from '../../faults/rule-schema.ts';
import { adminEndpoint, tenantQuery } from '../input/admin-context.ts';
import { findExchange } from '../input/past-request.ts';

const scenarioBody = objectOf({
  fault: faultSchema.optional().describe('The fault to inject (default: the one that hit the request, if any)'),
});

export const scenarioFileFields = {
  file: z.string().describe('A name for the file'),
  text: z.string().describe('The file: its rule for `exec` and `start`, its steps for `run`'),
};

export const requestScenarioSchema = z.strictObject({
  ...scenarioFileFields,
  rule: z.looseObject({}).nullable().describe('The rule as `POST /__admin/faults` takes it; null without a fault'),
});

export const requestScenarioEndpoints = [
  adminEndpoint({
    id: 'writeScenario',
    method: 'POST',
    path: '/__admin/requests/{id}/scenario',
    tag: 'Control: requests',
    summary: 'Writes a scenario file from a request: its fault, or another one, as a rule, and the request as steps',
    query: tenantQuery,
    body: scenarioBody,
    bodyRules: { optional: true },
    responses: { 200: requestScenarioSchema },
    errors: ['NotFound', 'Conflict'],
    retry: 'safe',
    examples: [{ params: { id: 'default-0' }, body: { fault: 504 }, status: 404 }],
    handle: async ({ tenant, endpoints }, { params: { id = '' }, body }) => {
      const exchange = findExchange(tenant, id);
      const endpoint = endpoints.find((one) => one.id === exchange.endpoint);
      const fault = body?.fault;
      const wrong = fault === undefined ? undefined : ruleInput.safeParse({ fault }).error?.issues[0];
      if (wrong) throw invalidFieldError(wrong.path.join('.'), wrong.message);
      const { requestScenario } = await import('../../scenario/from-request/request-scenario.ts');
      const { isFrozen } = tenant.clock;
      const { rule = null, ...file } = await finishInTurns(requestScenario({ exchange, endpoint, fault, isFrozen }));
      return apiResponse(200, { ...file, rule });
    },
  }),
];
