import { hidden, isSecret } from '../core/secrets.ts';
import type { WrittenRule } from './schema.ts';

type WantedByName = Readonly<Record<string, unknown>>;

/** A rule as it may be shown: without the keys that it wants. */
export function shownRule({ match, ...rule }: WrittenRule): WrittenRule {
  if (!match) return rule;
  const { query, headers, ...others } = match;
  const shown = {
    ...others,
    ...(query && { query: withoutKeys(query) }),
    ...(headers && { headers: withoutKeys(headers) }),
  };
  return { ...rule, match: shown };
}

const withoutKeys = (wanted: WantedByName): Record<string, unknown> =>
  Object.fromEntries(Object.entries(wanted).map(([name, value]) => [name, isSecret(name) ? hidden : value]));
