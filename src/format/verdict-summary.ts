interface Judged {
  readonly verdict: string;
}

interface CountedCode {
  readonly code: string;
  readonly count: number;
}

interface JudgedTotals {
  readonly checks: readonly Judged[];
  readonly rules: readonly Judged[];
  readonly operations: readonly Judged[];
  readonly warnings: readonly CountedCode[];
  readonly requests: number;
  /** Counts the requests that the journal dropped to make room. */
  readonly evicted: number;
}

/** Says how much there was to judge, and how much of it is as expected. */
export function formatSummary({ checks, rules, operations, warnings, requests, evicted }: JudgedTotals): string {
  const judged = [...checks, ...rules, ...operations];
  const passed = judged.filter(({ verdict }) => verdict === 'PASS').length;
  const dropped = evicted > 0 ? `, ${evicted} older ones dropped` : '';
  return `${passed} of ${judged.length} as expected, ${requests} ${requests === 1 ? 'request' : 'requests'}${dropped}${warned(warnings)}`;
}

interface CountedWarning extends CountedCode {
  readonly message: string;
  /** Holds the ids of its first requests. */
  readonly requests: readonly string[];
}

/** Describes the warnings of one code in a line. */
export const formatWarning = ({ code, count, message, requests }: CountedWarning): string =>
  `warning ${code}, ${count} ${count === 1 ? 'time' : 'times'} (${requests.join(', ')}${count > requests.length ? ', …' : ''}): ${message}`;

/** Says how many warnings there were, with the number of each code where there are several. */
function warned(warnings: readonly CountedCode[]): string {
  const total = warnings.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return '';
  const codes = warnings.map(({ code, count }) => (warnings.length > 1 ? `${code} ${count}` : code)).join(', ');
  return `, ${total} ${total === 1 ? 'warning' : 'warnings'} (${codes})`;
}
