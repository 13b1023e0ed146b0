/** What can be meant in a rule, and perhaps isn't. */
import { didYouMean } from '../core/warning.ts';
import { endpoints } from '../resources/endpoints.ts';
import { canReach } from './matching.ts';
import type { WrittenRule } from './schema.ts';

export function ruleNotes({ match = {} }: WrittenRule): string[] {
  const { path } = match;
  if (path === undefined || endpoints.some((endpoint) => canReach(path, endpoint))) return [];
  const served = endpoints.flatMap(({ path: own, aliases = [] }) => [own].concat(aliases));
  return [`match.path: no endpoint is served at ${path}${didYouMean(path, served)}`];
}
