/** A script in lines for people, while it is played and when it is over. */
import { marks } from '../verdict/reports/reported.ts';
import { timelineOf } from '../verdict/timeline.ts';
import { told } from '../verdict/verdict.ts';
import type { PlayedCheck, PlayedScenario, PlayedStep } from './played.ts';

const time = (ms: number): string => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`);

/** One line of a step that went well; what is wrong with another, and where it stands. */
export function stepLines({ number, title, verdict, reason, place, ms }: PlayedStep): string[] {
  const line = `  ${marks[verdict]} ${number}. ${title}  ${time(ms)}`;
  if (verdict === 'PASS') return [reason === undefined ? line : `${line}  (${reason})`];
  return [line, ...(reason ?? '').split('\n').map((text) => `      ${text}`), `      ${place}`];
}

/** What was judged when the steps were over, and the verdict. */
export function verdictLines(played: PlayedScenario): string[] {
  const { verdict, reason, steps, checks, rules, operations, ms } = played;
  const skipped = steps.filter(({ isPlayed }) => !isPlayed);
  const counts = [
    counted(steps.length - skipped.length, 'step'),
    ...(skipped.length > 0 ? [`${skipped.length} not played`] : []),
    ...(checks.length > 0 ? [counted(checks.length, 'expectation')] : []),
  ];
  return [
    ...checks.flatMap(checkLines),
    ...rules.map((rule) => `  ${marks[rule.verdict]} rule ${rule.id}: ${rule.reason}`),
    ...operations
      .filter(({ findings }) => findings.length > 0)
      .flatMap((operation) => timelineOf(operation).map((line) => `  ${line}`)),
    `  ${verdict}${reason === undefined ? '' : ` (${reason})`}: ${counts.join(', ')}, ${time(ms)}`,
  ];
}

function checkLines(check: PlayedCheck): string[] {
  const line = `  ${marks[check.verdict]} ${told(check)}`;
  return check.verdict === 'PASS' ? [line] : [line, `      ${check.place}`];
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

/** All scripts in one line. */
export function summaryLine(played: readonly PlayedScenario[], skipped: number): string {
  const words = (['PASS', 'FAIL', 'INCONCLUSIVE'] as const).flatMap((word) => {
    const count = played.filter(({ verdict }) => verdict === word).length;
    return count > 0 ? [`${count} ${word}`] : [];
  });
  const passedOver = skipped > 0 ? [`${skipped} without steps`] : [];
  return `${counted(played.length, 'scenario')}: ${[...words, ...passedOver].join(', ') || 'none played'}`;
}
