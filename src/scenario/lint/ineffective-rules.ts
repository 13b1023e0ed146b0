/** Warns about rules that are valid and will hardly do what they were written for. */
import { under, warningAt } from '../../core/validation/diagnostic.ts';
import { isDeepStrictEqual } from 'node:util';
import { parseTimestamp } from '../../core/time/clock.ts';
import type { Steps } from '../../core/time/steps.ts';
import { endpoints } from '../../service/endpoints.ts';
import type { Diagnostic } from '../../core/validation/diagnostic.ts';
import { mayMatchEndpoint } from '../../matching/request-matcher.ts';
import { findMissingJob, findUnservedPath } from './rule-warnings.ts';
import type { ScenarioSpec } from '../scenario-schema.ts';
import type { RuleSpec } from '../../faults/rule-schema.ts';

export function* lintIneffectiveRules({ rules = [], now }: ScenarioSpec): Steps<Diagnostic[]> {
  const all: Diagnostic[] = [];
  for (const [i, rule] of rules.entries()) {
    const found = [
      findShadowingRule(rule, rules.slice(0, i)),
      findExpired(rule, now),
      findUnservedPath(rule),
      findUnservedMethod(rule),
      findMissingJob(rule),
    ];
    for (const warning of found) if (warning) all.push(under('rules', i)(warning));
    yield;
  }
  return all;
}

function findShadowingRule({ match = {} }: RuleSpec, earlier: readonly RuleSpec[]): Diagnostic | undefined {
  const first = earlier.findIndex((rule) => alwaysFires(rule) && isSubsetOf(rule.match ?? {}, match));
  if (first < 0) return undefined;
  const name = earlier[first]?.id ?? `rules[${first}]`;
  return warningAt([], `never fires: ${name} comes first, matches the same requests and never ends`);
}

/** True when a rule decides every request that it matches. */
const alwaysFires = ({ fault, times, skip = 0, nth, match, probability = 1, from, until }: RuleSpec): boolean =>
  !Array.isArray(fault) &&
  skip === 0 &&
  probability === 1 &&
  [times, nth, match?.nth, from, until].every((limit) => limit === undefined);

const isSubsetOf = (part: object, whole: object): boolean => {
  const fields = new Map<string, unknown>(Object.entries(whole));
  return Object.entries(part).every(([name, value]) => isDeepStrictEqual(value, fields.get(name)));
};

function findExpired({ until }: RuleSpec, now: string | undefined): Diagnostic | undefined {
  const [end, start] = [until, now].map((text) => (text === undefined ? undefined : parseTimestamp(text)));
  if (end === undefined || start === undefined || end > start) return undefined;
  return warningAt(['until'], `is over when the scenario begins, at ${now}: the rule never fires`);
}

function findUnservedMethod({ match: { path, method } = {} }: RuleSpec): Diagnostic | undefined {
  if (path === undefined || method === undefined) return undefined;
  const there = endpoints.filter((endpoint) => mayMatchEndpoint(path, endpoint)).map((endpoint) => endpoint.method);
  const sent = method.toUpperCase();
  if (there.length === 0 || there.some((known) => known === sent || sent === 'HEAD' || sent === 'OPTIONS'))
    return undefined;
  const methods = [...new Set(there)].join(', ');
  return warningAt(['match', 'method'], `is ${method}, and ${path} is served for ${methods} alone`);
}
