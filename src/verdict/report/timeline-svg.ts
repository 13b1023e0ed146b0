import { escapeControls } from '../../core/lib/escape-controls.ts';
import { lastEnd } from '../verdict-json.ts';
import type { OperationJson } from '../verdict-json.ts';
import { formatAttempt, formatClockChange } from '../../format/timeline.ts';

type AttemptJson = OperationJson['attempts'][number];

const width = 900;
const row = 42;
/** Limits the number of letters that fit above a bar. */
const letters = 120;

const colours: Readonly<Record<AttemptJson['outcome'], string>> = {
  success: '#2a7d4f',
  invalid: '#b26a00',
  rejected: '#b26a00',
  throttled: '#8a6d00',
  'server-error': '#b3261e',
  'no-response': '#7a1f1a',
  'in-flight': '#666666',
};

/** Escapes a text for HTML, SVG and XML. */
export const escapeMarkup = (text: string): string =>
  escapeControls(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');

/** Draws an operation's attempts as bars over real time, each below its label. */
export function timelineSvg({ requestLine, attempts }: OperationJson): string {
  const end = Math.max(1, lastEnd(attempts));
  const x = (moment: number): number => (moment / end) * width;
  const bars = attempts.map((attempt, i) => barOf(attempt, { number: i + 1, x }));
  const height = attempts.length * row + 20;
  return [
    `<svg role="img" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    `<title>${escapeMarkup(requestLine)}: ${attempts.length} attempts in ${Math.round(end)} ms</title>`,
    ...bars,
    `<text x="0" y="${height - 4}" class="scale">0 ms</text>`,
    `<text x="${width}" y="${height - 4}" class="scale" text-anchor="end">${Math.round(end)} ms</text>`,
    '</svg>',
  ].join('');
}

interface Where {
  readonly number: number;
  readonly x: (moment: number) => number;
}

function barOf(attempt: AttemptJson, { number, x }: Where): string {
  const { outcome, startedAt, ms, transparentRetry } = attempt;
  const y = (number - 1) * row;
  const length = Math.max(4, x(startedAt + (ms ?? 0)) - x(startedAt));
  const left = Math.min(x(startedAt), width - length);
  const words = [...formatClockChange(attempt), formatAttempt(attempt, number)].join(' · ');
  const label = words.length > letters ? `${words.slice(0, letters - 1)}…` : words;
  return (
    `<text x="0" y="${y + 13}" class="label">${escapeMarkup(label)}</text>` +
    `<line x1="0" x2="${width}" y1="${y + 27}" y2="${y + 27}" stroke="#e4e4e4"/>` +
    `<rect x="${left.toFixed(1)}" y="${y + 20}" width="${length.toFixed(1)}" height="14" rx="2" ` +
    `fill="${colours[outcome]}"${transparentRetry ? ' fill-opacity="0.5"' : ''}><title>${escapeMarkup(words)}</title></rect>`
  );
}
