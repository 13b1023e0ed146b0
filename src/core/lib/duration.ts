const units: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};
const shortPattern = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h|d|w)$/;
const isoPattern = /^(-?)P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/;

/** Describes a length of time: calendar months (years count twelve) and milliseconds, either may be negative. */
export interface Duration {
  readonly months: number;
  readonly milliseconds: number;
}

/** Says what was expected to a person who wrote something else. */
export const durationForms = 'a duration such as 500ms, 30s, 15m, 2h, 30d, or ISO 8601 such as P30D, PT15M, P1M';

/** Nothing waits longer than this on a tenant's clock: a hundred years, in ms. */
export const longestDelay = 36_525 * 86_400_000;

/** A call is held up no longer than this in real time, in ms: no client and no test waits for so long. */
export const longestRealDelay = 24 * 3_600_000;

/** No duration has more characters than this. */
const longestText = 1000;

/** Reads `15m`, `30d`, `1h30m`, `P30D`, `-P2M`, `PT90S`; undefined when it is none of them. */
export function parseDuration(text: string): Duration | undefined {
  if (text.length > longestText) return undefined;
  const short = parseShort(text);
  if (short !== undefined) return { months: 0, milliseconds: short };
  return parseIso(text);
}

function parseShort(text: string): number | undefined {
  const parts = text.trim().match(/\d+(?:\.\d+)?\s*(?:ms|[smhdw])/g);
  if (!parts || parts.join('').replaceAll(/\s/g, '') !== text.replaceAll(/\s/g, '')) return undefined;
  return parts.reduce((sum, part) => {
    const [, amount = '0', unit = 'ms'] = shortPattern.exec(part) ?? [];
    return sum + Number(amount) * (units[unit] ?? 1);
  }, 0);
}

function parseIso(text: string): Duration | undefined {
  const match = isoPattern.exec(text);
  if (!match || text.endsWith('P') || text.endsWith('T')) return undefined;
  const sign = match[1] === '-' ? -1 : 1;
  const [years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = match
    .slice(2)
    .map((part) => Number(part ?? 0));
  const milliseconds = ((weeks * 7 + days) * 24 + hours) * 3_600_000 + minutes * 60_000 + seconds * 1000;
  return { months: sign * (years * 12 + months) + 0, milliseconds: sign * milliseconds + 0 };
}

/** Returns a length of time that is longer than nothing and the same at any time of the year, in ms; else undefined. */
export function parseLength(text: string): number | undefined {
  const read = parseDuration(text);
  return read?.months === 0 && read.milliseconds > 0 ? read.milliseconds : undefined;
}
