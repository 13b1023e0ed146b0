/** Validates rules and scenarios as a person wrote them: by their schemas, and by what no schema can say. */
import { diagnosticsError, errorAt, under } from '../core/validation/diagnostic.ts';
import * as z from '../core/validation/deferred-zod.ts';
import { triggerSchema } from '../service/triggers.ts';
import { lintImportRule, lintRule, lintPointMasterRule, lintWebhookRule } from './lint/rule-diagnostics.ts';
import { examineFor } from '../core/validation/examined-items.ts';
import { isLongList } from '../core/exchange/endpoint.ts';
import type { Steps } from '../core/time/steps.ts';
import { validateAgainst, validateListLengths } from '../core/validation/schema-diagnostics.ts';
import type { Diagnostic, JsonPath } from '../core/validation/diagnostic.ts';
import { getField, isObject } from '../core/validation/lenient-parse.ts';
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
  examine?: (sent: unknown) => Steps,
) => {
  const report = (sent: unknown, context: z.core.$RefinementCtx): unknown => {
    for (const { path, message } of validate(sent)) {
      context.issues.push({ code: 'custom', path: [...path], message, input: sent });
    }
    return sent;
  };
  if (examine) examineFor(report, examine);
  return z.preprocess(report, schema);
};

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

/** Returns everything wrong with a scenario; nothing when it can be used. Of lists that are too long it says just that. */
export function validateScenarioFields(sent: unknown): Diagnostic[] {
  const tooLong = validateListLengths(scenarioSchema, sent);
  if (tooLong.length > 0) return tooLong;
  return [...validateAgainst(scenarioSchema, sent), ...lintRulesAndSteps(sent), ...lintScriptReferences(sent)];
}

/** Parses a scenario that is sent. */
export const scenarioInput = withDiagnostics(scenarioSchema, validateScenarioFields, lintLongLists);

/** Returns a rule ready to be added. Throws `InputError` that names every mistake. */
export function parseRule(sent: unknown): RuleSpec {
  const { data, error } = ruleInput.safeParse(sent);
  if (data) return data;
  // Paths of a rule hold names and indexes alone.
  const wrong = error.issues.map(({ path, message }) => errorAt(path as JsonPath, message));
  throw diagnosticsError(wrong.map((one) => ({ ...one, file: 'rule' })));
}

type Lint = (item: unknown) => readonly Diagnostic[];

const lintsOfRules: Readonly<Record<string, Lint>> = {
  rules: lintRule,
  webhooks: lintWebhookRule,
  imports: lintImportRule,
  pointMaster: lintPointMasterRule,
};

/** Reports what no schema finds wrong with the rules and steps of a scenario. */
const lintRulesAndSteps = (sent: unknown): Diagnostic[] => [
  ...Object.entries(lintsOfRules).flatMap(([name, lint]) => lintList(name, getField(sent, name), lint)),
  ...lintItems('steps', getField(sent, 'steps'), lintTriggerStep),
];

const lintList = (name: string, rules: unknown, lint: Lint): Diagnostic[] =>
  Array.isArray(rules) ? [...lintItems(name, rules, lint), ...findDuplicateIds(name, rules)] : [];

/** Holds what was found in the rules of long lists, which nobody else holds. */
const linted = new WeakMap<object, readonly Diagnostic[]>();

/** Looks at the rules of long lists one by one. */
function* lintLongLists(sent: unknown): Steps {
  for (const [name, lint] of Object.entries(lintsOfRules)) {
    const rules = getField(sent, name);
    if (!Array.isArray(rules) || !isLongList(rules)) continue;
    for (const rule of rules) {
      if (isObject(rule)) linted.set(rule, lint(rule));
      yield;
    }
  }
}

function lintItems(name: string, items: unknown, lint: Lint): Diagnostic[] {
  if (!Array.isArray(items)) return [];
  return items.flatMap((item, i) => ((isObject(item) && linted.get(item)) || lint(item)).map(under(name, i)));
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
