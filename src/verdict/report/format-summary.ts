import type { Verdict } from '../verdict.ts';

/** How much there was to judge, and how much of it is as expected, in words. */
export function formatSummary({ checks, rules, operations, requests, evicted }: Verdict): string {
  const judged = [...checks, ...rules, ...operations];
  const met = judged.filter((one) => one.verdict === 'PASS').length;
  const dropped = evicted > 0 ? `, ${evicted} older ones dropped` : '';
  return `${met} of ${judged.length} as expected, ${requests} ${requests === 1 ? 'request' : 'requests'}${dropped}`;
}
