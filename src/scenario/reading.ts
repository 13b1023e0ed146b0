/** Reads rules as a person wrote them, and says all that is wrong with them. */
import { InputError } from '../core/errors.ts';
import type { FieldError } from '../core/errors.ts';
import { pathText } from '../core/fields.ts';
import { contradictions } from './contradictions.ts';
import { fieldErrorOf, schemaFindings, unknownFindings } from './findings.ts';
import type { Finding } from './findings.ts';
import { scenarioSchema } from './scenario-schema.ts';
import { ruleSchema } from './schema.ts';
import type { WrittenRule } from './schema.ts';

/** What is wrong with a rule, or a scenario, beside what its schema finds. */
export const alsoWrongInRule = (sent: unknown): FieldError[] =>
  [...unknownFindings(ruleSchema, sent), ...contradictions(sent)].map(fieldErrorOf);

export const alsoWrongInScenario = (sent: unknown): FieldError[] =>
  [...unknownFindings(scenarioSchema, sent), ...rulesFindings(sent)].map(fieldErrorOf);

/** Everything wrong with a rule; nothing when it can be used. */
export const ruleFindings = (sent: unknown): Finding[] => [
  ...schemaFindings(ruleSchema, sent),
  ...contradictions(sent),
];

/** A rule ready to be added. Throws `InputError` that names every mistake. */
export function readRule(sent: unknown): WrittenRule {
  const findings = ruleFindings(sent);
  const parsed = ruleSchema.safeParse(sent);
  if (parsed.success && findings.length === 0) return parsed.data;
  const told = findings.map(({ path, message }) =>
    path.length === 0 ? `it ${message}` : `${pathText(path)} ${message}`,
  );
  throw new InputError(`This rule can't be used: ${told.join('; ')}.`);
}

/** What no schema finds wrong with the rules of a scenario. */
export function rulesFindings(sent: unknown): Finding[] {
  const rules = typeof sent === 'object' && sent !== null && 'rules' in sent ? sent.rules : undefined;
  if (!Array.isArray(rules)) return [];
  return [
    ...rules.flatMap((rule, i) =>
      contradictions(rule).map(({ path, message }) => ({ path: ['rules', i, ...path], message })),
    ),
    ...repeatedIds(rules),
  ];
}

function repeatedIds(rules: readonly unknown[]): Finding[] {
  const ids = rules.map((rule) => (typeof rule === 'object' && rule !== null && 'id' in rule ? rule.id : undefined));
  return ids.flatMap((id, i) => {
    const first = ids.indexOf(id);
    if (id === undefined || first === i) return [];
    return [
      { path: ['rules', i, 'id'], message: `is "${String(id)}", as that of rules[${first}]: ids tell rules apart` },
    ];
  });
}
