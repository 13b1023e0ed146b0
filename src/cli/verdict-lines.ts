/** A verdict in lines for people, and as an exit code (design.md §5). */
import { timelineOf } from '../verdict/timeline.ts';
import { told } from '../verdict/verdict.ts';
import type { Verdict } from '../verdict/verdict.ts';

export const verdictCodes: Readonly<Record<Verdict['verdict'], number>> = { PASS: 0, FAIL: 1, INCONCLUSIVE: 3 };

const marks: Readonly<Record<Verdict['verdict'], string>> = { PASS: '✓', FAIL: '✗', INCONCLUSIVE: '?' };

interface Line {
  readonly description: string;
  readonly verdict: Verdict['verdict'];
  readonly reason: string;
}

/** Each expectation and rule with its reason, operations of which there is something to say, then the verdict itself. */
export function verdictLines({ verdict, checks, rules, operations, calls, evicted }: Verdict): string[] {
  const found: readonly Line[] = [...checks, ...rules.map(asLine)];
  const judged = [...found, ...operations];
  const met = judged.filter((one) => one.verdict === 'PASS').length;
  const dropped = evicted > 0 ? `, ${evicted} older ones dropped` : '';
  return [
    ...found.map(lineOf),
    ...operations.filter(({ findings }) => findings.length > 0).flatMap(timelineOf),
    `${verdict}: ${met} of ${judged.length} as expected, ${calls} ${calls === 1 ? 'call' : 'calls'}${dropped}`,
  ];
}

const asLine = ({ id, description, verdict, reason }: Verdict['rules'][number]): Line => ({
  description: `rule ${description === null ? id : `${id} (${description})`}`,
  verdict,
  reason,
});

const lineOf = (line: Line): string => `${marks[line.verdict]} ${told(line)}`;
