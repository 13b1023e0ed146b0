/** Reports rules whose fields are valid one by one and contradict each other. */
import { errorAt, under } from '../../core/validation/diagnostic.ts';
import { parseTimestamp } from '../../core/time/clock.ts';
import { lintFault } from './fault-diagnostics.ts';
import { getField, isObject, parseLeniently } from '../../core/validation/lenient-parse.ts';
import type { PartiallyValid } from '../../core/validation/lenient-parse.ts';
import { importRuleFields } from '../../faults/import-rule-schema.ts';
import { lintFaultDirection } from './point-master-diagnostics.ts';
import { pointMasterRuleFields } from '../../faults/point-master-rule-schema.ts';
import { lintFieldMatchers, lintMatch } from './match-diagnostics.ts';
import type { Diagnostic } from '../../core/validation/diagnostic.ts';
import { ruleFields } from '../../faults/rule-schema.ts';
import { webhookRuleFields } from '../webhook-rule-schema.ts';

type LintedRule = PartiallyValid<typeof ruleFields>;

export function lintRule(sent: unknown): Diagnostic[] {
  const [rule, match, fault] = [parseLeniently(ruleFields, sent), getField(sent, 'match'), getField(sent, 'fault')];
  return [
    ...lintMatch(match).map(under('match')),
    ...listFaults(fault).flatMap(({ path, one }) => lintFault(one).map(under(...path))),
    ...lintActivation(rule, getField(match, 'nth') !== undefined),
  ];
}

/** Does the same for a rule about webhooks. */
export function lintWebhookRule(sent: unknown): Diagnostic[] {
  const payload = getField(getField(sent, 'match'), 'payload');
  return [
    ...(isObject(payload) ? lintFieldMatchers(payload).map(under('match', 'payload')) : []),
    ...lintActivation(parseLeniently(webhookRuleFields, sent), false),
  ];
}

/** Does the same for a rule about the point master. */
export const lintPointMasterRule = (sent: unknown): Diagnostic[] => [
  ...lintFaultDirection(sent),
  ...lintActivation(parseLeniently(pointMasterRuleFields, sent), false),
];

/** Does the same for a rule about the import of files. */
export const lintImportRule = (sent: unknown): Diagnostic[] =>
  lintActivation(parseLeniently(importRuleFields, sent), false);

const listFaults = (fault: unknown): { path: (string | number)[]; one: unknown }[] =>
  Array.isArray(fault) ? fault.map((one, i) => ({ path: ['fault', i], one })) : [{ path: ['fault'], one: fault }];

type LintedActivation = Pick<LintedRule, 'nth' | 'skip' | 'probability' | 'from' | 'until'> & {
  readonly fault?: unknown;
};

function lintActivation(rule: LintedActivation, isNthInMatch: boolean): Diagnostic[] {
  const { fault, nth, skip, probability, from, until } = rule;
  const found: Diagnostic[] = [];
  const isNth = nth !== undefined || isNthInMatch;
  if (nth !== undefined && isNthInMatch) {
    found.push(errorAt(['nth'], 'stands in match too: write it once'));
  }
  if (isNth && skip !== undefined) {
    found.push(errorAt(['skip'], 'contradicts nth, which already selects the requests: keep one of them'));
  }
  if (Array.isArray(fault) && probability !== undefined) {
    const message = 'contradicts a sequence, which follows the order of the requests and not chance: keep one of them';
    found.push(errorAt(['probability'], message));
  }
  const [start, end] = [from, until].map((text) => (text === undefined ? undefined : parseTimestamp(text)));
  if (start !== undefined && end !== undefined && start >= end) {
    found.push(errorAt(['until'], `is ${until}, no later than from (${from}): there is no time between`));
  }
  return found;
}
