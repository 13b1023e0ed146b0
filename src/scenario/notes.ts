/** What can be meant in a rule, and perhaps isn't. */
import { pathText } from '../core/fields.ts';
import { didYouMean } from '../core/warning.ts';
import { endpoints } from '../resources/endpoints.ts';
import { canReach } from './matching.ts';
import type { Finding } from './findings.ts';
import type { WrittenRule } from './schema.ts';

export function ruleNotes(rule: WrittenRule): string[] {
  return [unservedPath(rule), jobless(rule)].flatMap((found) =>
    found ? [`${pathText(found.path)}: ${found.message}`] : [],
  );
}

export function unservedPath({ match = {} }: WrittenRule): Finding | undefined {
  const { path } = match;
  if (path === undefined || endpoints.some((endpoint) => canReach(path, endpoint))) return undefined;
  const served = endpoints.flatMap(({ path: own, aliases = [] }) => [own].concat(aliases));
  return { path: ['match', 'path'], message: `no endpoint is served at ${path}${didYouMean(path, served)}` };
}

/** Something is to become of a job, and no call that is meant queues one. */
export function jobless({ fault, match: { endpoint, path } = {} }: WrittenRule): Finding | undefined {
  if (![fault].flat().some((one) => typeof one === 'object' && one.job !== undefined)) return undefined;
  const ids = endpoint === undefined ? undefined : [endpoint].flat();
  const meant = endpoints.filter(
    (one) => (ids?.includes(one.id) ?? true) && (path === undefined || canReach(path, one)),
  );
  if (meant.length === 0 || meant.some(({ answers }) => 202 in answers)) return undefined;
  return { path: ['fault', 'job'], message: `${meant.map(({ id }) => id).join(', ')} queues no job` };
}
