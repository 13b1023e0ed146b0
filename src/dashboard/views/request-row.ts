/** Shows one request of the list, and decides whether the filter matches it. */
import { formatResponseStatus } from '../../format/response-status.ts';
import { addressOf } from '../ui/address.ts';
import { chip, h, pluralize } from '../ui/elements.ts';
import { formatTime } from '../ui/timestamps.ts';
import type { ExchangeLineJson } from '../api/api-types.ts';

const isUnderWay = ({ end }: ExchangeLineJson): boolean => end === null;

/** Returns `ok`, `rejected`, `failed`, `lost` or `open`, by what the client received. */
export function statusClass(line: ExchangeLineJson): string {
  if (isUnderWay(line)) return 'open';
  if (line.status === null) return 'lost';
  if (line.status >= 500) return 'failed';
  return line.status >= 400 ? 'rejected' : 'ok';
}

export const statusText = (line: ExchangeLineJson): string =>
  isUnderWay(line) ? 'in flight' : formatResponseStatus(line);

export const requestRow = (line: ExchangeLineJson): HTMLAnchorElement =>
  h(
    'a',
    { class: 'request', href: addressOf('requests', line.id), 'data-id': line.id },
    h('span', { class: `method ${line.method.toLowerCase()}` }, line.method),
    h('span', { class: 'path' }, line.path, line.query !== '' && h('span', { class: 'query' }, `?${line.query}`)),
    h('span', { class: `status ${statusClass(line)}` }, statusText(line)),
    h(
      'span',
      { class: 'about' },
      h('span', {}, formatTime(line.at)),
      h('span', {}, line.id),
      h('span', {}, line.endpoint ?? 'no endpoint'),
      line.ms !== null && h('span', {}, `${line.ms} ms`),
      line.effects > 0 && h('span', {}, pluralize(line.effects, 'effect')),
      line.fault && chip(`${line.fault.rule}, ${line.fault.phase} the work`, 'fault'),
      line.warnings.length > 0 && chip(pluralize(line.warnings.length, 'warning'), 'warning'),
    ),
  );

export interface RequestRowFilter {
  readonly text: string;
  /** Holds a class of responses, or any. */
  readonly kind: string;
  /** `any`, `with` or `without`. */
  readonly fault: string;
}

/** True when a request contains every word of the filter and has its kind of response. */
export function matchesFilter(line: ExchangeLineJson, { text, kind, fault }: RequestRowFilter): boolean {
  if (kind !== 'any' && statusClass(line) !== kind) return false;
  if (fault !== 'any' && (line.fault !== null) !== (fault === 'with')) return false;
  const warnings = line.warnings.map(({ code, message }) => `${code} ${message}`);
  const parts = [
    line.id,
    line.method,
    line.path,
    line.query,
    line.endpoint,
    statusText(line),
    line.fault?.rule,
    ...warnings,
  ];
  const whole = parts.join(' ').toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => whole.includes(word));
}
