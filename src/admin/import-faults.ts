import * as z from '../core/validation/deferred-zod.ts';
import type { ActiveImportRule } from '../faults/import-rules.ts';
import { importRuleInput } from '../scenario/validate.ts';
import { scenarioOf } from '../scenario/scenario.ts';
import { activeRuleFields, ruleEndpoints, serializeRule } from './rule-endpoints.ts';

export const activeImportRuleSchema = z.strictObject(activeRuleFields('batches, files or uploads')).meta({
  id: 'ActiveImportRule',
  description: 'A rule about the import of files, and how often it has matched and fired',
});

export const serializeImportRule = (active: ActiveImportRule): z.infer<typeof activeImportRuleSchema> =>
  serializeRule(active);

export const importFaultEndpoints = ruleEndpoints({
  name: 'ImportFault',
  noun: 'import rule',
  path: '/__admin/imports/faults',
  tag: 'Control: imports',
  rulesOf: (tenant) => scenarioOf(tenant).imports,
  body: importRuleInput,
  response: activeImportRuleSchema,
  serialize: serializeImportRule,
  examples: [
    { body: { fault: { late: '40m' }, times: 1 }, status: 201 },
    { body: { match: { file: '*_471_transactions.xml' }, fault: 'refuse' }, status: 201 },
  ],
});
