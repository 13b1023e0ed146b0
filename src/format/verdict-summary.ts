interface Judged {
  readonly verdict: string;
}

interface JudgedTotals {
  readonly checks: readonly Judged[];
  readonly rules: readonly Judged[];
  readonly operations: readonly Judged[];
  readonly requests: number;
  /** Counts the requests that the journal dropped to make room. */
  readonly evicted: number;
}

/** Says how much there was to judge, and how much of it is as expected. */
export function formatSummary({ checks, rules, operations, requests, evicted }: JudgedTotals): string {
  const judged = [...checks, ...rules, ...operations];
  const passed = judged.filter(({ verdict }) => verdict === 'PASS').length;
  const dropped = evicted > 0 ? `, ${evicted} older ones dropped` : '';
  return `${passed} of ${judged.length} as expected, ${requests} ${requests === 1 ? 'request' : 'requests'}${dropped}`;
}
