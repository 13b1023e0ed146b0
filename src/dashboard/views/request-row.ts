/** Shows one request of the list. */
import { formatResponseStatus } from '../../format/response-status.ts';
import { addressOf } from '../ui/address.ts';
import { chip, h, pluralize } from '../ui/elements.ts';
import { formatTime } from '../ui/timestamps.ts';
import type { Child } from '../ui/elements.ts';
import type { ExchangeLineJson, ListedExchangeJson } from '../api/api-types.ts';

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

export const requestRow = (line: ListedExchangeJson, view: string): HTMLAnchorElement =>
  h(
    'a',
    { class: 'request', href: addressOf(view, line.id), 'data-id': line.id },
    h('span', { class: `method ${line.method.toLowerCase()}` }, line.method),
    h('span', { class: 'path' }, line.path, line.query !== '' && h('span', { class: 'query' }, `?${line.query}`)),
    h('span', { class: `status ${statusClass(line)}` }, statusText(line)),
    h('span', { class: 'time' }, formatTime(line.at)),
    h(
      'span',
      { class: 'about' },
      aboutParts(line)
        .filter(Boolean)
        .map((part) => [part, ' ']),
    ),
  );

/** Returns what distinguishes a request from others of its path, the most telling first. */
const aboutParts = (line: ListedExchangeJson): Child[] => [
  line.error !== null && h('span', { class: 'error', title: line.error }, line.error),
  line.fault && chip(`${line.fault.rule}, ${line.fault.phase} the work`, 'fault'),
  line.contact && h('span', { class: 'who' }, line.contact.name),
  line.key !== null && h('code', { title: 'Key of the operation' }, line.key),
  line.effects > 0 && h('span', {}, pluralize(line.effects, 'effect')),
  line.warnings.length > 0 && chip(pluralize(line.warnings.length, 'warning'), 'warning'),
  h('span', {}, line.id),
  h('span', {}, line.endpoint ?? 'no endpoint'),
  line.ms !== null && h('span', {}, `${line.ms} ms`),
];
