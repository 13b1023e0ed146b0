/** Names the cases of the conformance suite: each fault at the first request to each endpoint, and at what only a fault brings about. */
import { capitalized } from '../../core/lib/capitalized.ts';
import type { RetryClass } from '../../core/exchange/endpoint.ts';
import { compilePathTemplate } from '../../core/exchange/path-template.ts';
import { didYouMean } from '../../core/lib/suggest.ts';
import { endpoints } from '../../service/endpoints.ts';
import type { PointFate } from '../coverage.ts';
import { parsePoint } from '../experiment.ts';
import { formatHit } from '../report/words.ts';
import { probes } from '../probes.ts';
import type { RunResult } from '../run.ts';
import type { PointSelection, Suite } from '../suite.ts';

/** Describes one thing that goes wrong, and what came of it. */
export interface ConformanceCase {
  /** Names the case: `createReceipt/504-after`. */
  readonly id: string;
  readonly description: string;
}

/** Describes a case with the run that shows how the client takes it. */
export interface PlayedCase extends ConformanceCase {
  readonly result: RunResult;
  /** Names the case that was run in its place, because the client cannot tell the two apart. */
  readonly as?: string | undefined;
}

/** Runs without a fault, to see which endpoints the client uses. */
export const plainCase: ConformanceCase = { id: 'plain', description: 'Nothing goes wrong.' };

/** Names each class at the start of a case's description. */
const classes: Readonly<Record<RetryClass, string>> = {
  safe: 'A read',
  idempotent: 'A write that may be repeated',
  keyed: 'A write with a key of its own',
  unkeyed: 'A non-idempotent write without a key',
  once: 'A redemption',
};

// The object's own keys, which TypeScript widens.
const classNames = Object.keys(classes) as RetryClass[];

const retryById: ReadonlyMap<string, RetryClass> = new Map(endpoints.map(({ id, retry }) => [id, retry]));

const beginnings: readonly string[] = [...endpoints.map(({ id }) => id), ...classNames];

/** Names the cases with a single fault, of all endpoints and classes. */
const knownCases: readonly string[] = beginnings.flatMap((name) => probes.map(({ id }) => `${name}/${id}`));

/** Returns `; did you mean "safe/500"?` for a name of no case; those of this client come first. */
export function suggestCases(name: string, own: readonly string[] = []): string {
  const slash = name.indexOf('/');
  const likeIt = slash < 0 ? [] : beginnings.map((begin) => `${begin}${name.slice(slash)}`).filter(isCasePattern);
  return didYouMean(name, [...own, ...knownCases, ...likeIt]);
}

/** Returns the cases of the classes of which the client sends no request. */
export function absentCases({ plain }: Suite): ConformanceCase[] {
  const met = new Set(plain.calls.map(({ retry }) => retry));
  return classNames
    .filter((retry) => !met.has(retry))
    .flatMap((retry) =>
      probes.map(({ id, says }) => ({ id: `${retry}/${id}`, description: `${classes[retry]} ${says}.` })),
    );
}

/** Says whether a case is to be run. */
export type CaseSelection = (id: string) => boolean;

/** Returns whether cases match one of these patterns; all do when there are none. */
export function selectCases(patterns: readonly string[]): CaseSelection {
  const tests = patterns.map(compilePathTemplate);
  return (id) => tests.length === 0 || tests.some((test) => test(id) || namesOfClass(id).some(test));
}

/** Returns `keyed/504` for `createReceipt/504`. */
function namesOfClass(id: string): string[] {
  const [endpoint = '', fault, ...rest] = id.split('/');
  const retry = retryById.get(endpoint);
  return retry === undefined || rest.length > 0 ? [] : [`${retry}/${fault}`];
}

/** Returns those of these cases that a name of a class, `keyed/504`, stands for. */
const casesOfClass = (name: string, ids: readonly string[]): string[] =>
  ids.filter((id) => namesOfClass(id).includes(name));

const lasting = /^(\w+) (?:for good|(\d+) ×)\/504$/;
const then = ' then ';

/** Returns the id of a case for a point of the plan; undefined for a point that is none of the suite. */
function caseOfPoint(point: string): string | undefined {
  const [begin = '', second, third] = point.split(then);
  if (third !== undefined) return undefined;
  const hit = parsePoint(begin);
  if (hit) {
    const isFirst = hit.operation === 1 && hit.attempt === 1;
    return isFirst ? `${hit.endpoint}/${hit.probe}${second === undefined ? '' : `+${second}`}` : undefined;
  }
  const [, endpoint, times] = lasting.exec(point) ?? [];
  if (endpoint === undefined || retryById.get(endpoint) === 'safe') return undefined;
  return `${endpoint}/${times === undefined ? 'lasting-' : `${times}x`}504`;
}

/** Knows the names of the cases of a suite, for a baseline. */
export interface CaseCatalog {
  /** True for an id that a case may have. */
  readonly isCase: (id: string) => boolean;
  /** Returns `; did you mean …?` for a name of no case; those of this run come first. */
  readonly suggest: (name: string, own: readonly string[]) => string;
  /** Returns those of these cases that a name of a class stands for. */
  readonly ofClass: (name: string, ids: readonly string[]) => string[];
}

/** True for a pattern that matches a case of some client. */
export function isCasePattern(pattern: string): boolean {
  const [begin = '', second] = pattern.split('+');
  const isKnown = [...knownCases, ...lastingCases].some(compilePathTemplate(begin.replace(/\b\d+x504$/, '2x504')));
  return isKnown && (second === undefined || second.includes('*') || parsePoint(second) !== undefined);
}

const lastingCases: readonly string[] = endpoints
  .filter(({ retry }) => retry !== 'safe')
  .flatMap(({ id }) => [`${id}/lasting-504`, `${id}/2x504`]);

/** Knows the cases of clients that send requests. */
export const clientCases: CaseCatalog = {
  isCase: (id) => !id.includes('*') && isCasePattern(id),
  suggest: suggestCases,
  ofClass: casesOfClass,
};

/** Exceeds the number of attempts that any client makes. */
const maxAttempts = 99;

/** Returns which points are played for the selected cases, and for those that they follow from. */
export function selectPoints(patterns: readonly string[], points: readonly PointFate[]): PointSelection {
  const isSelected = selectCases(patterns);
  // A second fault is tried where a first one has led.
  const isLeading = selectCases(patterns.flatMap((pattern) => pattern.split('+', 1)));
  const played = new Set(
    points.flatMap(({ id: point, witness }) => {
      const id = caseOfPoint(point);
      return id !== undefined && isSelected(id) ? [witness ?? point] : [];
    }),
  );
  const seconds = new Set<string>();
  return (point, { level }) => {
    const id = caseOfPoint(point);
    if (id === undefined) return false;
    if (level === 1) return played.has(point) || isLeading(id);
    // How often a client tries is known when it has failed for good.
    if (id.includes('/lasting-')) return isSelected(id) || countedCases(id).some(isSelected);
    if (level !== 4) return isSelected(id);
    // Once, whatever fault it is that brings the second request about.
    const [, second = ''] = point.split(then);
    const isNew = isSelected(id) && !seconds.has(second);
    if (isNew) seconds.add(second);
    return isNew;
  };
}

const countedCases = (id: string): string[] =>
  Array.from({ length: maxAttempts }, (_, i) => id.replace('lasting-', `${i + 1}x`));

/** Returns the selected cases with their runs: by endpoint, in the order in which the client first called them. */
export function playedCases({ plain, points, results }: Suite, isSelected: CaseSelection): PlayedCase[] {
  const order = [...new Set(plain.calls.map(({ endpoint }) => endpoint))];
  const cases = points.flatMap(({ id: point, witness }): PlayedCase[] => {
    const id = caseOfPoint(point);
    const result = results.get(witness ?? point);
    if (id === undefined || !result || !isSelected(id)) return [];
    const as = caseOfPoint(witness ?? '');
    const isShown = as !== undefined && isSelected(as);
    const stand =
      as === undefined || isShown ? '' : ` The run is that of ${as}: the client cannot distinguish the two.`;
    return [{ id, description: `${describePoint(point, result)}${stand}`, result, as: isShown ? as : undefined }];
  });
  const rank = ({ id }: PlayedCase): number => order.indexOf(id.split('/', 1)[0] ?? '');
  return cases.toSorted((a, b) => rank(a) - rank(b) || byId(a, b));
}

const byId = (a: ConformanceCase, b: ConformanceCase): number => Number(a.id > b.id) - Number(a.id < b.id);

function describePoint(point: string, { experiment: { title } }: RunResult): string {
  const hits = point.split(then).flatMap((part) => parsePoint(part) ?? []);
  const text = hits.length === 0 ? title : hits.map(formatHit).join('; then ');
  return `${capitalized(text)}.`;
}
