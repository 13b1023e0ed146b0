/** Warns about rules that are valid and perhaps not meant as they are written. */
import { formatDiagnostic, warningAt } from '../../core/validation/diagnostic.ts';
import { memoizeRecent } from '../../core/lib/memoize-recent.ts';
import { didYouMean } from '../../core/lib/suggest.ts';
import { endpoints } from '../../service/endpoints.ts';
import { mayMatchEndpoint } from '../../matching/request-matcher.ts';
import type { Diagnostic } from '../../core/validation/diagnostic.ts';
import type { RuleSpec } from '../../faults/rule-schema.ts';

export function ruleWarnings(rule: RuleSpec): string[] {
  return [findUnservedPath(rule), findMissingJob(rule)].flatMap((found) => (found ? [formatDiagnostic(found)] : []));
}

/** Many rules of a scenario are about the same path. */
const isServed = memoizeRecent((path: string): boolean =>
  endpoints.some((endpoint) => mayMatchEndpoint(path, endpoint)),
);

export function findUnservedPath({ match = {} }: RuleSpec): Diagnostic | undefined {
  const { path } = match;
  if (path === undefined || isServed(path)) return undefined;
  const served = endpoints.flatMap(({ path: own, aliases = [] }) => [own].concat(aliases));
  return warningAt(['match', 'path'], `no endpoint is served at ${path}${didYouMean(path, served)}`);
}

/** Warns about a fault of a job where no matching endpoint queues one. */
export function findMissingJob({ fault, match: { endpoint, path } = {} }: RuleSpec): Diagnostic | undefined {
  if (![fault].flat().some((one) => typeof one === 'object' && one.job !== undefined)) return undefined;
  const ids = endpoint === undefined ? undefined : [endpoint].flat();
  const meant = endpoints.filter(
    (one) => (ids?.includes(one.id) ?? true) && (path === undefined || mayMatchEndpoint(path, one)),
  );
  if (meant.length === 0 || meant.some(({ responses: answers }) => 202 in answers)) return undefined;
  return warningAt(['fault', 'job'], `${meant.map(({ id }) => id).join(', ')} queues no job`);
}
