/** Validates rules and scenarios as a person wrote them: by their schemas, and by what no schema can say. */
import { diagnosticsError, errorAt, under } from '../core/validation/diagnostic.ts';
import * as z from '../core/validation/deferred-zod.ts';
import { triggerSchema } from '../service/triggers.ts';
import { lintImportRule, lintRule, lintPointMasterRule, lintWebhookRule } from './lint/rule-diagnostics.ts';
import { countMistakes, examineFor, examineItems, maxMistakes } from '../core/validation/examined-items.ts';
import { finish } from '../core/time/steps.ts';
import type { Steps } from '../core/time/steps.ts';
import {
  diagnosticWording,
  validateAgainst,
  validateFieldNamesInTurns,
  validateKnownFieldsInTurns,
  validateListLengths,
} from '../core/validation/schema-diagnostics.ts';
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
    const wrong = validate(sent);
    countMistakes(wrong.length);
    for (const { path, message } of wrong) {
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
export const validateScenarioFields = (sent: unknown): Diagnostic[] => finish(validateInTurns(sent));

/** Does the same for a scenario that nobody else holds; what it is parsed to is remembered. */
export function* validateScenarioInTurns(sent: unknown): Steps<Diagnostic[]> {
  yield* examineItems(scenarioSchema, sent, diagnosticWording.messages);
  return yield* validateInTurns(sent);
}

function* validateInTurns(sent: unknown): Steps<Diagnostic[]> {
  const tooLong = validateListLengths(scenarioSchema, sent);
  if (tooLong.length > 0) return tooLong;
  const wrong = yield* validateKnownFieldsInTurns(scenarioSchema, sent);
  yield;
  const found = wrong.concat(
    yield* validateFieldNamesInTurns(scenarioSchema, sent),
    yield* lintRulesAndSteps(sent),
    yield* lintScriptReferences(sent),
  );
  const more = found.length - maxMistakes;
  return more > 0 ? [...found.slice(0, maxMistakes), errorAt([], `has ${more} more mistakes like these`)] : found;
}

/** Holds what is wrong with scenarios that were examined, which nobody else holds. */
const examined = new WeakMap<object, readonly Diagnostic[]>();

/** Validates a scenario in turns, before it is parsed. */
function* examineScenario(sent: unknown): Steps {
  if (!isObject(sent)) return;
  examined.set(sent, yield* validateScenarioInTurns(sent));
}

/** Parses a scenario that is sent. */
export const scenarioInput = withDiagnostics(
  scenarioSchema,
  (sent) => (isObject(sent) && examined.get(sent)) || validateScenarioFields(sent),
  examineScenario,
);

/** Returns a rule ready to be added. Throws `InputError` that names every mistake. */
export function parseRule(sent: unknown): RuleSpec {
  const { data, error } = ruleInput.safeParse(sent);
  if (data) return data;
  // Paths of a rule hold names and indexes alone.
  const wrong = error.issues.map(({ path, message }) => errorAt(path as JsonPath, message));
  throw diagnosticsError(wrong.map((one) => ({ ...one, file: 'rule' })));
}

type Lint = (item: unknown) => Diagnostic[];

const lintsOfRules: Readonly<Record<string, Lint>> = {
  rules: lintRule,
  webhooks: lintWebhookRule,
  imports: lintImportRule,
  pointMaster: lintPointMasterRule,
};

/** Reports what no schema finds wrong with the rules and steps of a scenario. */
function* lintRulesAndSteps(sent: unknown): Steps<Diagnostic[]> {
  const found: Diagnostic[][] = [];
  for (const [name, lint] of Object.entries(lintsOfRules)) {
    const rules = getField(sent, name);
    if (Array.isArray(rules)) found.push(yield* lintItems(name, rules, lint), findDuplicateIds(name, rules));
  }
  found.push(yield* lintItems('steps', getField(sent, 'steps'), lintTriggerStep));
  return found.flat();
}

function* lintItems(name: string, items: unknown, lint: Lint): Steps<Diagnostic[]> {
  if (!Array.isArray(items)) return [];
  const found: Diagnostic[][] = [];
  for (const [i, item] of items.entries()) {
    found.push(lint(item).map(under(name, i)));
    yield;
  }
  return found.flat();
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
