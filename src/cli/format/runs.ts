/** Formats the runs of a command for the terminal. */
import { constants } from 'node:os';
import { plural } from '../../core/lib/plural.ts';
import { statusMarks, worstRunStatus } from '../../verdict/report/report-items.ts';
import type { ReportedRun } from '../../verdict/report/report-items.ts';
import { formatSummary } from '../../format/verdict-summary.ts';
import type { JudgedRun } from '../process/judged-run.ts';
import { proxyVariable } from '../../config/config.ts';
import { styled } from '../process/terminal.ts';
import { redact } from '../../core/exchange/redact.ts';
import { formatVerdict } from '../../verdict/report/text.ts';

/** Limits the operations of a run and the runs that are shown; a report has all of them. */
const maxShown = 10;

/** Returns lines for each tenant that received requests, and the exit code of the command if it failed. */
export function formatRun({ runs, code, received }: JudgedRun): string[] {
  const ended =
    code === 0
      ? []
      : [colorize(`→ The command itself failed with exit code ${code}${signalIn(code)}, which is passed on.`)];
  const hints = received === 0 ? silenceHints() : [];
  return [...verdictsIn(runs), ...hints.map(colorize), ...ended];
}

/** Names the signal in an exit code of a program that was ended by one, as the program or its shell tells it. */
function signalIn(code: number): string {
  const [name] = Object.entries(constants.signals).find(([, number]) => number === code - 128) ?? [];
  return name === undefined ? '' : ` (128 + ${name})`;
}

function verdictsIn(runs: readonly ReportedRun[]): string[] {
  const [only] = runs;
  if (only && runs.length === 1) return formatRunDetails(only);
  const passed = runs.filter(({ verdict }) => verdict.verdict === 'PASS');
  const others = runs.filter(({ verdict }) => verdict.verdict !== 'PASS');
  const passedLines =
    passed.length > maxShown
      ? [`PASS: ${passed.length} tenants`]
      : passed.map(({ name, verdict }) => `PASS: ${name}: ${formatSummary(verdict)}`);
  return [
    ...passedLines.map(colorize),
    ...others.slice(0, maxShown).flatMap(formatRunDetails),
    ...(others.length > maxShown ? [`… and ${plural(others.length - maxShown, 'tenant')} more that did not pass`] : []),
  ];
}

export const formatRunHeading = ({ name }: Pick<ReportedRun, 'name'>): string => colorize(`loyalty-sim · ${name}`);

/** Returns lines for a run: its name, what is to be said of its operations, and its verdict. */
export const formatRunDetails = ({ name, verdict }: Pick<ReportedRun, 'name' | 'verdict'>): string[] => [
  formatRunHeading({ name }),
  ...formatVerdict(verdict, { most: maxShown }).map(colorize),
];

const silenceHints = (): string[] => [
  '→ The simulator received no requests. Does the command read its base URL from LOYALTY_SIM_URL?',
  ...proxyHint(),
];

/** Not every program reads NO_PROXY, which is set for the command. */
function proxyHint(): string[] {
  const name = proxyVariable();
  return name === undefined
    ? []
    : [
        `→ ${name} is set: the command may send its requests to that proxy. Unset it for the command, as env -u ${name} <command>.`,
      ];
}

/** Returns a line for each run: verdict, exit code, number of requests and duration. */
export function formatMatrix(judged: readonly JudgedRun[]): string[] {
  const width = Math.max(...judged.map(({ name }) => name.length));
  return [
    formatRunHeading({ name: plural(judged.length, 'run') }),
    ...judged.map(({ name, runs, code, ms }) => {
      const status = worstRunStatus(runs);
      const requests = runs.reduce((sum, { verdict }) => sum + verdict.requests, 0);
      const figures = `exit ${code}, ${plural(requests, 'request')}, ${(ms / 1000).toFixed(1)} s`;
      return colorize(
        `${statusMarks[status]} ${status.padEnd('INCONCLUSIVE'.length)}  ${name.padEnd(width)}  ${figures}`,
      );
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

/** Redacts a line and colours it by its mark. */
export function colorize(text: string): string {
  const line = redact(text);
  const style = styles.find(({ of }) => of.test(line))?.style;
  return style === undefined ? line : styled(style, line);
}
