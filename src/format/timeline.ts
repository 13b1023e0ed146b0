/** Formats an operation as lines of text: its attempts in time, the findings, and one line of advice for each. */

/** Marks a verdict, of an operation or of a whole. */
export const statusMarks = { PASS: '✓', FAIL: '✗', INCONCLUSIVE: '?' } as const;

/** Marks a finding by its level. */
export const levelMarks = { fail: '✗', inconclusive: '?', note: '·' } as const;

interface TimelineAttempt {
  readonly request: string;
  /** Counts ms since the first attempt; all other times are in ms too. */
  readonly startedAt: number;
  readonly pause: number | null;
  readonly clockMoved: number | null;
  readonly end: string;
  readonly fault: { readonly rule: string; readonly phase: string } | null;
  /** Counts the rows that the service changed. */
  readonly effects: number;
  readonly webhooks: readonly { readonly eventType: string; readonly status: string }[];
  readonly transparentRetry: boolean;
}

interface TimelineFinding {
  readonly rule: string;
  readonly level: keyof typeof levelMarks;
  readonly message: string;
  readonly basis: { readonly source: keyof typeof basisNames; readonly text: string };
  readonly advice: string;
}

/** Holds what a timeline shows of an operation, as the control API serves it. */
interface TimelineOperation {
  readonly requestLine: string;
  readonly endpoint: string | null;
  readonly key: { readonly value: string | null };
  readonly verdict: keyof typeof statusMarks;
  readonly attempts: readonly TimelineAttempt[];
  readonly findings: readonly TimelineFinding[];
}

const units = [
  { ms: 86_400_000, word: 'days' },
  { ms: 3_600_000, word: 'hours' },
  { ms: 60_000, word: 'minutes' },
] as const;

/** Returns `350 ms`, `1.25 s` or `30 days`. */
export function formatLength(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const unit = units.find((one) => ms >= 2 * one.ms);
  return unit ? `${Math.round(ms / unit.ms)} ${unit.word}` : `${(ms / 1000).toFixed(2)} s`;
}

const longest = 80;

const shortened = (text: string): string => (text.length > longest ? `${text.slice(0, longest - 1)}…` : text);

/** Returns `POST /api/v3/receipts (till-7)`. */
export const operationTitle = ({ requestLine, key }: Pick<TimelineOperation, 'requestLine' | 'key'>): string =>
  key.value === null ? shortened(requestLine) : `${shortened(requestLine)} (${shortened(key.value)})`;

const basisNames = {
  specification: 'Specification',
  policy: 'Policy',
  assumption: 'Assumption',
  guidance: 'Guidance',
} as const;

/** Returns `Guidance: A retry sends the same request again.` */
export const formatBasis = ({ source, text }: TimelineFinding['basis']): string => `${basisNames[source]}: ${text}`;

export function formatTimeline(operation: TimelineOperation): string[] {
  const { verdict, attempts, findings } = operation;
  const advice = [...new Set(findings.filter(({ level }) => level !== 'note').map((finding) => finding.advice))];
  return [
    `${statusMarks[verdict]} ${operationTitle(operation)}`,
    ...attempts.flatMap((attempt, i) => attemptLines(attempt, i + 1)).map((line) => `      ${line}`),
    ...counted(findings.map(({ rule, level, message }) => `    ${levelMarks[level]} ${rule}: ${message}`)),
    ...advice.map((line) => `    → ${line}`),
  ];
}

/**
 * Returns a line for each way in which operations without a finding came through a fault, with how many did so:
 * `GET /api/v3/contacts/count: got status 504 (fault down), then got status 200`.
 */
export function formatRecoveries(operations: readonly TimelineOperation[]): string[] {
  const recovered = operations.filter(
    ({ verdict, findings, attempts }) =>
      verdict === 'PASS' && findings.length === 0 && attempts.some(({ fault }) => fault !== null),
  );
  const ways = new Map<string, { readonly first: TimelineOperation; count: number }>();
  for (const one of recovered) {
    const way = `${one.endpoint ?? one.requestLine} ${wayOf(one)}`;
    const known = ways.get(way) ?? { first: one, count: 0 };
    known.count++;
    ways.set(way, known);
  }
  return [...ways.values()].map(({ first, count }) => {
    const others = count > 1 ? ` and ${count - 1} more such` : '';
    return `${operationTitle(first)}${others}: ${wayOf(first)}`;
  });
}

const wayOf = ({ attempts }: TimelineOperation): string =>
  attempts.map(({ end, fault }) => (fault ? `${end} (fault ${shortened(fault.rule)})` : end)).join(', then ');

/** Returns each line once, with how often it occurs. */
function counted(lines: readonly string[]): string[] {
  return [...new Set(lines)].map((line) => {
    const times = lines.filter((one) => one === line).length;
    return times === 1 ? line : `${line} (${times} times)`;
  });
}

const attemptLines = (attempt: TimelineAttempt, number: number): string[] => [
  ...formatClockChange(attempt),
  `${`+${formatLength(attempt.startedAt)}`.padEnd(9)} ${formatAttempt(attempt, number)}`,
];

/** Says how the tenant's clock was moved since the attempt before. */
export const formatClockChange = ({ clockMoved }: TimelineAttempt): string[] =>
  clockMoved === null ? [] : [`the clock was moved by ${formatLength(clockMoved)}`];

/** Formats an attempt from the client's side and the service's. */
export function formatAttempt(attempt: TimelineAttempt, number: number): string {
  const { request, pause, end, fault, effects, webhooks, transparentRetry } = attempt;
  const parts = [
    `${number}. ${request}: ${end}`,
    fault && `fault ${shortened(fault.rule)} ${fault.phase} the work`,
    `the service changed ${effects > 0 ? `${effects} ${effects === 1 ? 'row' : 'rows'}` : 'nothing'}`,
    ...webhooks.map(({ eventType, status }) => `webhook ${eventType} ${status}`),
    pause !== null &&
      (pause < 0 ? `sent ${formatLength(-pause)} before the previous attempt ended` : `pause ${formatLength(pause)}`),
    transparentRetry && 'transparent retry of the HTTP library',
  ];
  return parts.filter((part) => typeof part === 'string').join(' · ');
}
