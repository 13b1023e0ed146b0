import type { ShownOperation } from '../shown-operations.ts';

type ShownAttempt = ShownOperation['attempts'][number];

const width = 720;
const row = 26;
const label = 210;

const colours: Readonly<Record<ShownAttempt['told'], string>> = {
  success: '#2a7d4f',
  invalid: '#b26a00',
  refused: '#b26a00',
  busy: '#8a6d00',
  failed: '#b3261e',
  lost: '#7a1f1a',
  open: '#666666',
};

/** A text as it may stand in HTML and SVG. */
export const escaped = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');

/** An operation's attempts as bars over time. */
export function timelineSvg({ call, attempts }: ShownOperation): string {
  const end = Math.max(1, ...attempts.map(({ startedAt, ms }) => startedAt + (ms ?? 0)));
  const x = (moment: number): number => label + (moment / end) * (width - label - 12);
  const bars = attempts.map((attempt, i) => barOf(attempt, { y: i * row + 4, x }));
  const height = attempts.length * row + 24;
  return [
    `<svg role="img" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    `<title>${escaped(call)}: ${attempts.length} attempts in ${Math.round(end)} ms</title>`,
    ...bars,
    `<text x="${label}" y="${height - 6}" class="scale">0 ms</text>`,
    `<text x="${width - 12}" y="${height - 6}" class="scale" text-anchor="end">${Math.round(end)} ms</text>`,
    '</svg>',
  ].join('');
}

interface Where {
  readonly y: number;
  readonly x: (moment: number) => number;
}

function barOf({ request, told, end, fault, startedAt, ms, isTransport }: ShownAttempt, { y, x }: Where): string {
  const length = Math.max(3, x(startedAt + (ms ?? 0)) - x(startedAt));
  const cause = fault ? `, fault ${fault.rule} ${fault.phase} the work` : '';
  const title = escaped(`${request} ${end}${cause}${isTransport ? ', repeated by the HTTP library' : ''}`);
  return (
    `<text x="0" y="${y + 13}" class="label">${escaped(request)} ${told}</text>` +
    `<rect x="${x(startedAt).toFixed(1)}" y="${y}" width="${length.toFixed(1)}" height="16" rx="2" ` +
    `fill="${colours[told]}"${isTransport ? ' fill-opacity="0.5"' : ''}><title>${title}</title></rect>`
  );
}
