/** What came of a command's runs, in lines for the person who waits for them. */
import { statusMarks, worstRunStatus } from '../../verdict/report/report-items.ts';
import type { ReportedRun } from '../../verdict/report/report-items.ts';
import { formatSummary } from '../../format/verdict-summary.ts';
import type { JudgedRun } from '../process/judged-run.ts';
import { styled } from '../process/terminal.ts';
import { redact } from './redact.ts';
import { formatVerdict } from './verdict.ts';

/** How many operations of a run are shown, and how many runs: who looks for more wants a report. */
const most = 10;

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

/** Each tenant that was called, those as expected in a line; and how the command ended, when it failed. */
export function formatRun({ runs, code }: JudgedRun): string[] {
  const ended = code === 0 ? [] : [colorize(`→ The command itself ended with exit code ${code}, which is passed on.`)];
  return [...verdictsIn(runs), ...ended];
}

function verdictsIn(runs: readonly ReportedRun[]): string[] {
  const [only] = runs;
  if (only && runs.length === 1) return detailLines(only);
  const passed = runs.filter(({ verdict }) => verdict.verdict === 'PASS');
  const others = runs.filter(({ verdict }) => verdict.verdict !== 'PASS');
  const passedLines =
    passed.length > most
      ? [`PASS: ${passed.length} tenants`]
      : passed.map(({ name, verdict }) => `PASS: ${name}: ${formatSummary(verdict)}`);
  return [
    ...passedLines.map(colorize),
    ...others.slice(0, most).flatMap(detailLines),
    ...(others.length > most ? [`… and ${counted(others.length - most, 'tenant')} more that did not pass`] : []),
  ];
}

export const formatRunHeading = ({ name }: Pick<ReportedRun, 'name'>): string => colorize(`loyalty-sim · ${name}`);

function detailLines({ name, verdict }: ReportedRun): string[] {
  const isCalled = verdict.requests + verdict.evicted > 0;
  return [
    formatRunHeading({ name }),
    ...formatVerdict(verdict, { most }).map(colorize),
    ...(isCalled
      ? []
      : [colorize('→ Nothing called the simulator. Has the command its base URL from LOYALTY_SIM_URL?')]),
  ];
}

/** One line a run: the verdict, how the command ended, what it took. */
export function formatMatrix(judged: readonly JudgedRun[]): string[] {
  const width = Math.max(...judged.map(({ name }) => name.length));
  return [
    formatRunHeading({ name: counted(judged.length, 'run') }),
    ...judged.map(({ name, runs, code, ms }) => {
      const word = worstRunStatus(runs);
      const requests = runs.reduce((sum, { verdict }) => sum + verdict.requests, 0);
      const figures = `exit ${code}, ${counted(requests, 'request')}, ${(ms / 1000).toFixed(1)} s`;
      return colorize(`${statusMarks[word]} ${word.padEnd('INCONCLUSIVE'.length)}  ${name.padEnd(width)}  ${figures}`);
    }),
  ];
}

const styles = [
  { of: /^loyalty-sim ·/, style: 'bold' },
  { of: /^(\s*✗|FAIL)/, style: 'red' },
  { of: /^(\s*\?|INCONCLUSIVE)/, style: 'yellow' },
  { of: /^(✓|PASS)/, style: 'green' },
  { of: /^\s*→/, style: 'cyan' },
] as const;

/** As it is shown: without what nobody but the tester may read. */
export function colorize(text: string): string {
  const line = redact(text);
  const style = styles.find(({ of }) => of.test(line))?.style;
  return style === undefined ? line : styled(style, line);
}
