/** Formats a verdict for people. */
import { formatSummary, formatWarning } from '../../format/verdict-summary.ts';
import { formatRecoveries, formatTimeline } from '../../format/timeline.ts';
import { formatCheck } from '../verdict.ts';
import { statusMarks } from './report-items.ts';
import type { Verdict } from '../verdict.ts';

interface VerdictLine {
  readonly description: string;
  readonly verdict: Verdict['verdict'];
  readonly reason: string;
}

interface LinesOptions {
  /** Limits the operations that are shown (default: all). */
  readonly most?: number;
}

/** Returns lines for each expectation and rule, for operations with findings, for warnings, and for the verdict. */
export function formatVerdict(verdict: Verdict, { most = Infinity }: LinesOptions = {}): string[] {
  const { checks, rules, operations, warnings } = verdict;
  const found: readonly VerdictLine[] = [...checks, ...rules.map(asLine)];
  const shown = operations.filter(({ findings }) => findings.length > 0).toSorted(byVerdict);
  return [
    ...found.map(lineOf),
    ...shown.slice(0, most).flatMap(formatTimeline),
    ...(shown.length > most ? [`… and ${shown.length - most} more; --report html=verdict.html shows them all`] : []),
    ...shortList(formatRecoveries(operations).map((line) => `✓ ${line}`)),
    ...warnings.map((warning) => `· ${formatWarning(warning)}`),
    `${verdict.verdict}: ${formatSummary(verdict)}`,
  ];
}

/** Limits the ways of coming through a fault that are listed. */
const maxRecoveries = 10;

const shortList = (lines: readonly string[]): string[] =>
  lines.length > maxRecoveries
    ? [...lines.slice(0, maxRecoveries), `… and ${lines.length - maxRecoveries} more ways of coming through a fault`]
    : [...lines];

const ranks = { FAIL: 0, INCONCLUSIVE: 1, PASS: 2 } as const;

const byVerdict = (left: Pick<VerdictLine, 'verdict'>, right: Pick<VerdictLine, 'verdict'>): number =>
  ranks[left.verdict] - ranks[right.verdict];

const asLine = ({ id, description, verdict, reason }: Verdict['rules'][number]): VerdictLine => ({
  description: `rule ${description === null ? id : `${id} (${description})`}`,
  verdict,
  reason,
});

const lineOf = (line: VerdictLine): string => `${statusMarks[line.verdict]} ${formatCheck(line)}`;
