/** One call in the list, and which calls the filter lets through. */
import { toldWords } from '../cli/told-words.ts';
import { chip, make, plural, timeOf } from './elements.ts';
import type { ExchangeLine } from './shown.ts';

const isUnderWay = ({ end }: ExchangeLine): boolean => end === null;

/** `ok`, `refused`, `failed` or `lost`: what its caller was told. */
export function kindOf(line: ExchangeLine): string {
  if (isUnderWay(line)) return 'open';
  if (line.status === null) return 'lost';
  if (line.status >= 500) return 'failed';
  return line.status >= 400 ? 'refused' : 'ok';
}

export const told = (line: ExchangeLine): string => (isUnderWay(line) ? 'under way' : toldWords(line));

export const callLine = (line: ExchangeLine): HTMLAnchorElement =>
  make(
    'a',
    { class: 'call', href: `#calls/${encodeURIComponent(line.id)}`, 'data-id': line.id },
    make('span', { class: `method ${line.method.toLowerCase()}` }, line.method),
    make('span', { class: 'path' }, line.path, line.query !== '' && make('span', { class: 'query' }, `?${line.query}`)),
    make('span', { class: `told ${kindOf(line)}` }, told(line)),
    make(
      'span',
      { class: 'about' },
      make('span', {}, timeOf(line.at)),
      make('span', {}, line.id),
      make('span', {}, line.endpoint ?? 'no endpoint'),
      line.ms !== null && make('span', {}, `${line.ms} ms`),
      line.effects > 0 && make('span', {}, plural(line.effects, 'effect')),
      line.fault && chip(`${line.fault.rule}, ${line.fault.phase} the work`, 'fault'),
      line.warnings.length > 0 && chip(plural(line.warnings.length, 'warning'), 'warning'),
    ),
  );

export interface CallFilter {
  readonly text: string;
  /** A kind, or any. */
  readonly kind: string;
  /** `any` call, those `with` a fault, or `without`. */
  readonly fault: string;
}

/** Whether a call holds every word of the filter, and is of the kind that it asks for. */
export function fits(line: ExchangeLine, { text, kind, fault }: CallFilter): boolean {
  if (kind !== 'any' && kindOf(line) !== kind) return false;
  if (fault !== 'any' && (line.fault !== null) !== (fault === 'with')) return false;
  const warnings = line.warnings.map(({ code, message }) => `${code} ${message}`);
  const parts = [line.id, line.method, line.path, line.query, line.endpoint, told(line), line.fault?.rule, ...warnings];
  const whole = parts.join(' ').toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => whole.includes(word));
}
