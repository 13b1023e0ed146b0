/** What can be meant in a rule, and perhaps isn't. */
import { didYouMean } from '../core/warning.ts';
import { endpoints } from '../resources/endpoints.ts';
import { canReach } from './matching.ts';
import type { Finding } from './findings.ts';
import type { WrittenRule } from './schema.ts';

export function ruleNotes(rule: WrittenRule): string[] {
  const found = unservedPath(rule);
  return found ? [`match.path: ${found.message}`] : [];
}

export function unservedPath({ match = {} }: WrittenRule): Finding | undefined {
  const { path } = match;
  if (path === undefined || endpoints.some((endpoint) => canReach(path, endpoint))) return undefined;
  const served = endpoints.flatMap(({ path: own, aliases = [] }) => [own].concat(aliases));
  return { path: ['match', 'path'], message: `no endpoint is served at ${path}${didYouMean(path, served)}` };
}
