/** Rules that can be used as they are, and yet will hardly do what they were written for. */
import { isDeepStrictEqual } from 'node:util';
import { parseTimestamp } from '../core/clock.ts';
import { endpoints } from '../resources/endpoints.ts';
import type { Finding } from './findings.ts';
import { canReach } from './matching.ts';
import { jobless, unservedPath } from './notes.ts';
import type { WrittenScenario } from './scenario-schema.ts';
import type { WrittenRule } from './schema.ts';

/** What a person should know about a scenario that is valid. */
export function doubts({ rules = [], now }: WrittenScenario): Finding[] {
  return rules.flatMap((rule, i) => {
    const earlier = rules.slice(0, i);
    const found = [behind(rule, earlier), overBefore(rule, now), unservedPath(rule), otherMethod(rule), jobless(rule)];
    return found.flatMap((doubt) => (doubt ? [{ path: ['rules', i, ...doubt.path], message: doubt.message }] : []));
  });
}

function behind({ match = {} }: WrittenRule, earlier: readonly WrittenRule[]): Finding | undefined {
  const first = earlier.findIndex((rule) => isEndless(rule) && isPart(rule.match ?? {}, match));
  if (first < 0) return undefined;
  const name = earlier[first]?.id ?? `rules[${first}]`;
  return { path: [], message: `never fires: ${name} matches the same calls, stands before it and never ends` };
}

/** Whether a rule decides every call that it matches. */
const isEndless = ({ fault, times, skip = 0, nth, match, probability = 1, from, until }: WrittenRule): boolean =>
  !Array.isArray(fault) &&
  skip === 0 &&
  probability === 1 &&
  [times, nth, match?.nth, from, until].every((limit) => limit === undefined);

const isPart = (part: object, whole: object): boolean => {
  const fields = new Map<string, unknown>(Object.entries(whole));
  return Object.entries(part).every(([name, value]) => isDeepStrictEqual(value, fields.get(name)));
};

function overBefore({ until }: WrittenRule, now: string | undefined): Finding | undefined {
  const [end, start] = [until, now].map((text) => (text === undefined ? undefined : parseTimestamp(text)));
  if (end === undefined || start === undefined || end > start) return undefined;
  return { path: ['until'], message: `is over when the scenario begins, at ${now}: the rule never fires` };
}

function otherMethod({ match: { path, method } = {} }: WrittenRule): Finding | undefined {
  if (path === undefined || method === undefined) return undefined;
  const there = endpoints.filter((endpoint) => canReach(path, endpoint)).map((endpoint) => endpoint.method);
  const sent = method.toUpperCase();
  if (there.length === 0 || there.some((known) => known === sent || sent === 'HEAD' || sent === 'OPTIONS'))
    return undefined;
  const methods = [...new Set(there)].join(', ');
  return { path: ['match', 'method'], message: `is ${method}, and ${path} is served for ${methods} alone` };
}
