/** What is well formed in a rule, and yet can't mean anything. */
import { parseTimestamp } from '../core/clock.ts';
import { faultContradictions } from './fault-contradictions.ts';
import { fieldOf, isObject, legible } from './legible.ts';
import type { Legible } from './legible.ts';
import { placeContradictions } from './master-contradictions.ts';
import { masterRuleFields } from './master-schema.ts';
import { fieldsFindings, matchContradictions } from './match-contradictions.ts';
import type { Finding } from './findings.ts';
import { ruleFields } from './schema.ts';
import { webhookRuleFields } from './webhook-schema.ts';

type Rule = Legible<typeof ruleFields>;

export function contradictions(sent: unknown): Finding[] {
  const [rule, match, fault] = [legible(ruleFields, sent), fieldOf(sent, 'match'), fieldOf(sent, 'fault')];
  return [
    ...matchContradictions(match).map(within('match')),
    ...faultsIn(fault).flatMap(({ path, one }) => faultContradictions(one).map(within(...path))),
    ...budgetContradictions(rule, fieldOf(match, 'nth') !== undefined),
  ];
}

/** The same for a rule about webhooks. */
export function webhookContradictions(sent: unknown): Finding[] {
  const payload = fieldOf(fieldOf(sent, 'match'), 'payload');
  return [
    ...(isObject(payload) ? fieldsFindings(payload).map(within('match', 'payload')) : []),
    ...budgetContradictions(legible(webhookRuleFields, sent), false),
  ];
}

/** The same for a rule about the point master. */
export const masterContradictions = (sent: unknown): Finding[] => [
  ...placeContradictions(sent),
  ...budgetContradictions(legible(masterRuleFields, sent), false),
];

const within =
  (...outer: readonly (string | number)[]) =>
  ({ path, message }: Finding): Finding => ({ path: [...outer, ...path], message });

const faultsIn = (fault: unknown): { path: (string | number)[]; one: unknown }[] =>
  Array.isArray(fault) ? fault.map((one, i) => ({ path: ['fault', i], one })) : [{ path: ['fault'], one: fault }];

type Budgeted = Pick<Rule, 'nth' | 'skip' | 'probability' | 'from' | 'until'> & { readonly fault?: unknown };

function budgetContradictions(rule: Budgeted, isNthInMatch: boolean): Finding[] {
  const { fault, nth, skip, probability, from, until } = rule;
  const found: Finding[] = [];
  const isNth = nth !== undefined || isNthInMatch;
  if (nth !== undefined && isNthInMatch) {
    found.push({ path: ['nth'], message: 'stands in match as well: say it once' });
  }
  if (isNth && skip !== undefined) {
    found.push({
      path: ['skip'],
      message: 'stands beside nth, which says already which calls are meant: keep one of them',
    });
  }
  if (Array.isArray(fault) && probability !== undefined) {
    const message =
      'stands beside a sequence, which goes by the order of the calls and not by chance: keep one of them';
    found.push({ path: ['probability'], message });
  }
  const [start, end] = [from, until].map((text) => (text === undefined ? undefined : parseTimestamp(text)));
  if (start !== undefined && end !== undefined && start >= end) {
    found.push({ path: ['until'], message: `is ${until}, no later than from (${from}): there is no time between` });
  }
  return found;
}
