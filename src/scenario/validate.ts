/** Validates rules and scenarios as a person wrote them: by their schemas, and by what no schema can say. */
import { diagnosticsError, errorAt, under } from '../core/validation/diagnostic.ts';
import * as z from '../core/validation/deferred-zod.ts';
import { triggerSchema } from '../service/triggers.ts';
import { lintImportRule, lintRule, lintPointMasterRule, lintWebhookRule } from './lint/rule-diagnostics.ts';
import { validateAgainst } from '../core/validation/schema-diagnostics.ts';
import type { Diagnostic, JsonPath } from '../core/validation/diagnostic.ts';
import { getField } from '../core/validation/lenient-parse.ts';
import { scenarioSchema } from './scenario-schema.ts';
import { importRuleSchema } from '../faults/import-rule-schema.ts';
import { ruleSchema } from '../faults/rule-schema.ts';
import type { RuleSpec } from '../faults/rule-schema.ts';
import { webhookRuleSchema } from './webhook-rule-schema.ts';
import { lintScriptReferences } from './lint/script-references.ts';
import { lintTriggerStep } from './lint/trigger-diagnostics.ts';

/** Returns a schema that reports what `validate` finds; a value is parsed when there is nothing to report. */
const withDiagnostics = <Schema extends z.ZodType>(
  schema: Schema,
  validate: (sent: unknown) => readonly Diagnostic[],
) =>
  z.preprocess((sent, context) => {
    for (const { path, message } of validate(sent)) {
      context.issues.push({ code: 'custom', path: [...path], message, input: sent });
    }
    return sent;
  }, schema);

/** Returns everything wrong with a rule; nothing when it can be used. */
const validateRule = (sent: unknown): Diagnostic[] => [...validateAgainst(ruleSchema, sent), ...lintRule(sent)];

/** Parses a rule that is sent to be added. */
export const ruleInput = withDiagnostics(ruleSchema, validateRule);

/** Parses a rule about webhooks that is sent to be added. */
export const webhookRuleInput = withDiagnostics(webhookRuleSchema, (sent) => [
  ...validateAgainst(webhookRuleSchema, sent),
  ...lintWebhookRule(sent),
]);

/** Parses a rule about the import of files that is sent to be added. */
export const importRuleInput = withDiagnostics(importRuleSchema, (sent) => [
  ...validateAgainst(importRuleSchema, sent),
  ...lintImportRule(sent),
]);

/** Parses an event that is sent to be triggered. */
export const triggerInput = withDiagnostics(triggerSchema, (sent) => validateAgainst(triggerSchema, sent));

/** Returns everything wrong with a scenario; nothing when it can be used. */
export const validateScenarioFields = (sent: unknown): Diagnostic[] => [
  ...validateAgainst(scenarioSchema, sent),
  ...lintRulesAndSteps(sent),
  ...lintScriptReferences(sent),
];

/** Parses a scenario that is sent. */
export const scenarioInput = withDiagnostics(scenarioSchema, validateScenarioFields);

/** Returns a rule ready to be added. Throws `InputError` that names every mistake. */
export function parseRule(sent: unknown): RuleSpec {
  const { data, error } = ruleInput.safeParse(sent);
  if (data) return data;
  // Paths of a rule hold names and indexes alone.
  const wrong = error.issues.map(({ path, message }) => errorAt(path as JsonPath, message));
  throw diagnosticsError(wrong.map((one) => ({ ...one, file: 'rule' })));
}

/** Reports what no schema finds wrong with the rules and steps of a scenario. */
const lintRulesAndSteps = (sent: unknown): Diagnostic[] => [
  ...lintList('rules', getField(sent, 'rules'), lintRule),
  ...lintList('webhooks', getField(sent, 'webhooks'), lintWebhookRule),
  ...lintList('imports', getField(sent, 'imports'), lintImportRule),
  ...lintList('pointMaster', getField(sent, 'pointMaster'), lintPointMasterRule),
  ...lintItems('steps', getField(sent, 'steps'), lintTriggerStep),
];

type Lint = (item: unknown) => readonly Diagnostic[];

const lintList = (name: string, rules: unknown, lint: Lint): Diagnostic[] =>
  Array.isArray(rules) ? [...lintItems(name, rules, lint), ...findDuplicateIds(name, rules)] : [];

function lintItems(name: string, items: unknown, lint: Lint): Diagnostic[] {
  if (!Array.isArray(items)) return [];
  return items.flatMap((item, i) => lint(item).map(under(name, i)));
}

function findDuplicateIds(name: string, rules: readonly unknown[]): Diagnostic[] {
  const firsts = new Map<unknown, number>();
  return rules.flatMap((rule, i) => {
    const id = getField(rule, 'id');
    const first = firsts.get(id);
    if (first === undefined) firsts.set(id, i);
    if (id === undefined || first === undefined) return [];
    const message = `is "${String(id)}", which is the id of ${name}[${first}] too: ids must be unique`;
    return [errorAt([name, i, 'id'], message)];
  });
}
