/** Reads rules as a person wrote them, and says all that is wrong with them. */
import * as z from 'zod';
import { InputError } from '../core/errors.ts';
import { fieldErrors } from '../core/fields.ts';
import { triggerSchema } from '../resources/trigger.ts';
import { contradictions, masterContradictions, webhookContradictions } from './contradictions.ts';
import { schemaFindings } from './findings.ts';
import type { Finding } from './findings.ts';
import { fieldOf } from './legible.ts';
import { scenarioSchema } from './scenario-schema.ts';
import { ruleSchema } from './schema.ts';
import type { WrittenRule } from './schema.ts';
import { webhookRuleSchema } from './webhook-schema.ts';
import { namesFindings } from './script-names.ts';
import { triggerFindings } from './trigger-findings.ts';

/** A schema that tells all that is wrong as findings have it; a sent value is parsed when there are none. */
const checked = <Schema extends z.ZodType>(schema: Schema, findings: (sent: unknown) => readonly Finding[]) =>
  z.preprocess((sent, context) => {
    for (const { path, message } of findings(sent)) {
      context.issues.push({ code: 'custom', path: [...path], message, input: sent });
    }
    return sent;
  }, schema);

/** Everything wrong with a rule; nothing when it can be used. */
const ruleFindings = (sent: unknown): Finding[] => [...schemaFindings(ruleSchema, sent), ...contradictions(sent)];

/** A rule as it is sent to be added. */
export const sentRule = checked(ruleSchema, ruleFindings);

/** A rule about webhooks as it is sent to be added. */
export const sentWebhookRule = checked(webhookRuleSchema, (sent) => [
  ...schemaFindings(webhookRuleSchema, sent),
  ...webhookContradictions(sent),
]);

/** What is to happen inside the service, as it is sent. */
export const sentTrigger = checked(triggerSchema, (sent) => schemaFindings(triggerSchema, sent));

/** Everything wrong with a scenario; nothing when it can be used. */
export const scenarioFindings = (sent: unknown): Finding[] => [
  ...schemaFindings(scenarioSchema, sent),
  ...rulesFindings(sent),
  ...namesFindings(sent),
];

/** A scenario as it is sent. */
export const sentScenario = checked(scenarioSchema, scenarioFindings);

/** A rule ready to be added. Throws `InputError` that names every mistake. */
export function readRule(sent: unknown): WrittenRule {
  const { data, error } = sentRule.safeParse(sent);
  if (data) return data;
  const told = fieldErrors(error).map(({ field, errorDescription }) => `${field || 'it'} ${errorDescription}`);
  throw new InputError(`This rule can't be used: ${told.join('; ')}.`);
}

/** What no schema finds wrong with the rules and steps of a scenario. */
const rulesFindings = (sent: unknown): Finding[] => [
  ...listFindings('rules', fieldOf(sent, 'rules'), contradictions),
  ...listFindings('webhooks', fieldOf(sent, 'webhooks'), webhookContradictions),
  ...listFindings('master', fieldOf(sent, 'master'), masterContradictions),
  ...itemFindings('steps', fieldOf(sent, 'steps'), triggerFindings),
];

type Findings = (item: unknown) => readonly Finding[];

const listFindings = (name: string, rules: unknown, findings: Findings): Finding[] =>
  Array.isArray(rules) ? [...itemFindings(name, rules, findings), ...repeatedIds(name, rules)] : [];

function itemFindings(name: string, items: unknown, findings: Findings): Finding[] {
  if (!Array.isArray(items)) return [];
  return items.flatMap((item, i) => findings(item).map(({ path, message }) => ({ path: [name, i, ...path], message })));
}

function repeatedIds(name: string, rules: readonly unknown[]): Finding[] {
  const firsts = new Map<unknown, number>();
  return rules.flatMap((rule, i) => {
    const id = fieldOf(rule, 'id');
    const first = firsts.get(id);
    if (first === undefined) firsts.set(id, i);
    if (id === undefined || first === undefined) return [];
    const message = `is "${String(id)}", as that of ${name}[${first}]: ids tell rules apart`;
    return [{ path: [name, i, 'id'], message }];
  });
}
