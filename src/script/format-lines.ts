/** A script in lines for people, while it is played and when it is over. */
import { statusMarks } from '../verdict/report/report-items.ts';
import { formatTimeline } from '../format/timeline.ts';
import { formatCheck } from '../verdict/verdict.ts';
import type { ScriptCheck, ScriptResult, StepResult } from './result.ts';

const time = (ms: number): string => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`);

/** One line of a step that went well; what is wrong with another, and where it stands. */
export function stepLines({ number, title, verdict, reason, place, ms }: StepResult): string[] {
  const line = `  ${statusMarks[verdict]} ${number}. ${title}  ${time(ms)}`;
  if (verdict === 'PASS') return [reason === undefined ? line : `${line}  (${reason})`];
  return [line, ...(reason ?? '').split('\n').map((text) => `      ${text}`), `      ${place}`];
}

/** What was judged when the steps were over, and the verdict. */
export function scriptVerdictLines(played: ScriptResult): string[] {
  const { verdict, reason, steps, checks, rules, operations, ms } = played;
  const skipped = steps.filter(({ isPlayed }) => !isPlayed);
  const counts = [
    pluralize(steps.length - skipped.length, 'step'),
    ...(skipped.length > 0 ? [`${skipped.length} not played`] : []),
    ...(checks.length > 0 ? [pluralize(checks.length, 'expectation')] : []),
  ];
  return [
    ...checks.flatMap(checkLines),
    ...rules.map((rule) => `  ${statusMarks[rule.verdict]} rule ${rule.id}: ${rule.reason}`),
    ...operations
      .filter(({ findings }) => findings.length > 0)
      .flatMap((operation) => formatTimeline(operation).map((line) => `  ${line}`)),
    `  ${verdict}${reason === undefined ? '' : ` (${reason})`}: ${counts.join(', ')}, ${time(ms)}`,
  ];
}

function checkLines(check: ScriptCheck): string[] {
  const line = `  ${statusMarks[check.verdict]} ${formatCheck(check)}`;
  return check.verdict === 'PASS' ? [line] : [line, `      ${check.place}`];
}

const pluralize = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

/** All scripts in one line. */
export function scriptsSummaryLine(played: readonly ScriptResult[], skipped: number): string {
  const words = (['PASS', 'FAIL', 'INCONCLUSIVE'] as const).flatMap((word) => {
    const count = played.filter(({ verdict }) => verdict === word).length;
    return count > 0 ? [`${count} ${word}`] : [];
  });
  const passedOver = skipped > 0 ? [`${skipped} without steps`] : [];
  return `${pluralize(played.length, 'scenario')}: ${[...words, ...passedOver].join(', ') || 'none played'}`;
}
