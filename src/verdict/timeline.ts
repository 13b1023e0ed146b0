/** An operation as lines of text: its attempts in time, what the rules say, and one line of advice for each. */
import type { ShownOperation } from './shown-operations.ts';

type ShownAttempt = ShownOperation['attempts'][number];

const length = (ms: number): string => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(2)} s`);

export function timelineOf({ call, key, verdict, attempts, findings }: ShownOperation): string[] {
  const named = key.value === null ? '' : ` (${key.value})`;
  const advice = [...new Set(findings.filter(({ weight }) => weight !== 'remark').map((finding) => finding.advice))];
  return [
    `${marks[verdict]} ${call}${named}`,
    ...attempts.map((attempt, i) => `      ${attemptLine(attempt, i + 1)}`),
    ...findings.map(({ rule, weight, message }) => `    ${mark[weight]} ${rule}: ${message}`),
    ...advice.map((line) => `    → ${line}`),
  ];
}

const marks = { PASS: '✓', FAIL: '✗', INCONCLUSIVE: '?' } as const;

const mark = { fail: '✗', inconclusive: '?', remark: '·' } as const;

function attemptLine(attempt: ShownAttempt, number: number): string {
  const { request, startedAt, pause, end, fault, effects, isTransport } = attempt;
  const parts = [
    `+${length(startedAt).padEnd(8)} ${number}. ${request}: ${end}`,
    fault && `fault ${fault.rule} ${fault.phase} the work`,
    `the service ${effects > 0 ? `changed ${effects} ${effects === 1 ? 'row' : 'rows'}` : 'changed nothing'}`,
    pause !== null && `pause ${length(pause)}`,
    isTransport && 'repeated by the HTTP library',
  ];
  return parts.filter((part) => typeof part === 'string').join(' · ');
}
