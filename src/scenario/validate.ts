/** Reads rules as a person wrote them, and says all that is wrong with them. */
import * as z from 'zod';
import { InputError } from '../core/lib/input-error.ts';
import { fieldErrors } from '../core/validation/unknown-fields.ts';
import { triggerSchema } from '../service/triggers.ts';
import { lintRule, lintPointMasterRule, lintWebhookRule } from './lint/rule-diagnostics.ts';
import { validateAgainst } from '../core/validation/schema-diagnostics.ts';
import type { Diagnostic } from '../core/validation/schema-diagnostics.ts';
import { getField } from '../core/validation/lenient-parse.ts';
import { scenarioSchema } from './scenario-schema.ts';
import { ruleSchema } from '../faults/rule-schema.ts';
import type { RuleSpec } from '../faults/rule-schema.ts';
import { webhookRuleSchema } from '../faults/webhook-rule-schema.ts';
import { lintScriptReferences } from './lint/script-references.ts';
import { lintTriggerStep } from './lint/trigger-diagnostics.ts';

/** A schema that tells all that is wrong as findings have it; a sent value is parsed when there are none. */
const withDiagnostics = <Schema extends z.ZodType>(
  schema: Schema,
  findings: (sent: unknown) => readonly Diagnostic[],
) =>
  z.preprocess((sent, context) => {
    for (const { path, message } of findings(sent)) {
      context.issues.push({ code: 'custom', path: [...path], message, input: sent });
    }
    return sent;
  }, schema);

/** Everything wrong with a rule; nothing when it can be used. */
const validateRule = (sent: unknown): Diagnostic[] => [...validateAgainst(ruleSchema, sent), ...lintRule(sent)];

/** A rule as it is sent to be added. */
export const ruleInput = withDiagnostics(ruleSchema, validateRule);

/** A rule about webhooks as it is sent to be added. */
export const webhookRuleInput = withDiagnostics(webhookRuleSchema, (sent) => [
  ...validateAgainst(webhookRuleSchema, sent),
  ...lintWebhookRule(sent),
]);

/** What is to happen inside the service, as it is sent. */
export const triggerInput = withDiagnostics(triggerSchema, (sent) => validateAgainst(triggerSchema, sent));

/** Everything wrong with a scenario; nothing when it can be used. */
export const validateScenarioFields = (sent: unknown): Diagnostic[] => [
  ...validateAgainst(scenarioSchema, sent),
  ...rulesFindings(sent),
  ...lintScriptReferences(sent),
];

/** A scenario as it is sent. */
export const scenarioInput = withDiagnostics(scenarioSchema, validateScenarioFields);

/** A rule ready to be added. Throws `InputError` that names every mistake. */
export function parseRule(sent: unknown): RuleSpec {
  const { data, error } = ruleInput.safeParse(sent);
  if (data) return data;
  const told = fieldErrors(error).map(({ field, errorDescription }) => `${field || 'it'} ${errorDescription}`);
  throw new InputError(`This rule can't be used: ${told.join('; ')}.`);
}

/** What no schema finds wrong with the rules and steps of a scenario. */
const rulesFindings = (sent: unknown): Diagnostic[] => [
  ...lintList('rules', getField(sent, 'rules'), lintRule),
  ...lintList('webhooks', getField(sent, 'webhooks'), lintWebhookRule),
  ...lintList('pointMaster', getField(sent, 'pointMaster'), lintPointMasterRule),
  ...itemFindings('steps', getField(sent, 'steps'), lintTriggerStep),
];

type Lint = (item: unknown) => readonly Diagnostic[];

const lintList = (name: string, rules: unknown, findings: Lint): Diagnostic[] =>
  Array.isArray(rules) ? [...itemFindings(name, rules, findings), ...findDuplicateIds(name, rules)] : [];

function itemFindings(name: string, items: unknown, findings: Lint): Diagnostic[] {
  if (!Array.isArray(items)) return [];
  return items.flatMap((item, i) => findings(item).map(({ path, message }) => ({ path: [name, i, ...path], message })));
}

function findDuplicateIds(name: string, rules: readonly unknown[]): Diagnostic[] {
  const firsts = new Map<unknown, number>();
  return rules.flatMap((rule, i) => {
    const id = getField(rule, 'id');
    const first = firsts.get(id);
    if (first === undefined) firsts.set(id, i);
    if (id === undefined || first === undefined) return [];
    const message = `is "${String(id)}", as that of ${name}[${first}]: ids tell rules apart`;
    return [{ path: [name, i, 'id'], message }];
  });
}
