/** What is compared, and never shown. */
import type { WrittenRule } from './schema.ts';

export const secretHeaders: ReadonlySet<string> = new Set([
  'apikey',
  'x-api-key',
  'authorization',
  'proxy-authorization',
  'x-sim-admin-key',
  'cookie',
]);

export const hiddenValue = '(hidden)';

/** A rule as it may be shown. */
export function shownRule({ match, ...rule }: WrittenRule): WrittenRule {
  if (!match) return rule;
  if (!match.headers) return { ...rule, match };
  const headers = Object.entries(match.headers).map(([name, wanted]) =>
    secretHeaders.has(name.toLowerCase()) ? [name, hiddenValue] : [name, wanted],
  );
  return { ...rule, match: { ...match, headers: Object.fromEntries(headers) } };
}
