/** Shows one request in full. */
import { addressOf } from '../ui/address.ts';
import { chip, collapsible, json, h, pluralize, section } from '../ui/elements.ts';
import { exactMoment, momentAfter } from '../ui/moments.ts';
import type { Child } from '../ui/elements.ts';
import { sequencePicture } from './sequence.ts';
import { requestActions } from '../request-actions/actions.ts';
import { effectList } from '../effects/effects.ts';
import { statusClass, statusText } from './request-row.ts';
import type { ExchangeJson, ExchangeLineJson } from '../api/api-types.ts';

type Message = Pick<ExchangeJson['request'], 'headers' | 'body' | 'json'>;

export const exchangeCard = (exchange: ExchangeJson): HTMLElement =>
  h(
    'article',
    { class: 'exchange', 'aria-label': exchange.id },
    head(exchange),
    faultPart(exchange),
    warningPart(exchange),
    section('Sequence', sequencePicture(exchange)),
    requestActions(exchange),
    section('Effects', effectList(exchange.effects)),
    exchange.jobs.length > 0 &&
      section(
        'Jobs executed later',
        exchange.jobs.map(({ job, at }) => h('p', {}, `job ${job}, `, momentAfter(at, exchange.at))),
      ),
    requestPart(exchange),
    responsePart(exchange),
    deliveredPart(exchange),
    nearMissPart(exchange),
    assumptionPart(exchange),
    exchange.endpoint !== null &&
      h('p', {}, h('a', { href: addressOf('faults', exchange.endpoint) }, 'Add a fault for such requests …')),
  );

/** Returns the fields that the item in the list has. */
const asLine = (exchange: ExchangeJson): ExchangeLineJson => ({
  ...exchange,
  effects: exchange.effects.length,
  assumptions: [],
});

function head(exchange: ExchangeJson): Child {
  const { id, at, method, path, query, endpoint, ms, connection } = exchange;
  const line = asLine(exchange);
  const by = connection && `connection ${connection.id}, its request ${connection.request}`;
  return [
    h(
      'h2',
      {},
      h('span', { class: `method ${method.toLowerCase()}` }, method),
      ' ',
      h('span', { class: 'path' }, path),
    ),
    query !== '' && h('p', { class: 'query' }, `?${query}`),
    h('p', {}, h('span', { class: `status ${statusClass(line)}` }, statusText(line)), ` ${describeDelivery(exchange)}`),
    h(
      'p',
      { class: 'faint' },
      `${id} · `,
      exactMoment(at),
      [` · ${endpoint ?? 'no endpoint'}`, ms !== null && `${ms} ms`, by].filter(Boolean).join(' · '),
    ),
  ];
}

const endDescriptions = {
  normal: 'the client received all of it',
  close: 'the connection was closed before the client had all of it',
  reset: 'the connection was reset',
  hang: 'the connection stayed open and silent',
  'client-aborted': 'the client hung up',
} as const;

/** Says in a sentence what the service did and what the client received. */
function describeDelivery({ response, status, end, fault }: ExchangeJson): string {
  if (end === null) return 'The client is still waiting.';
  const did = response ? `The service responded ${response.status}` : 'The service did nothing';
  const got =
    status === null
      ? `the client received no status: ${endDescriptions[end]}`
      : `the client received ${status}: ${endDescriptions[end]}`;
  return fault || end !== 'normal' ? `${did}; ${got}.` : `${did}.`;
}

function faultPart({ fault }: ExchangeJson): Child {
  if (!fault) return null;
  const { rule, hit, phase, respond, status, end, delay, time, chunks } = fault;
  const facts = [
    `${phase} the work`,
    `response: ${respond}${status === null ? '' : ` ${status}`}`,
    `end: ${end}`,
    delay > 0 && `delay: ${delay} ms${time === 'virtual' ? ' on the clock' : ''}`,
    chunks > 1 && `in ${chunks} chunks`,
  ];
  return section('Fault', h('p', {}, chip(rule, 'fault'), ` hit ${hit} · ${facts.filter(Boolean).join(' · ')}`));
}

/** Shows a list in a section, unless it is empty. */
function listPart(title: string, items: readonly HTMLElement[]): Child {
  return items.length === 0 ? null : section(title, h('ul', {}, items));
}

const warningPart = ({ warnings }: ExchangeJson): Child =>
  listPart(
    'Warnings',
    warnings.map(({ code, message }) => h('li', {}, chip(code, 'warning'), ` ${message}`)),
  );

function messagePart({ headers, body, json: parsed }: Message): Child {
  const names = Object.entries(headers);
  return [
    collapsible(
      pluralize(names.length, 'header'),
      h('pre', {}, names.map(([name, value]) => `${name}: ${value}`).join('\n')),
    ),
    body === null || body === ''
      ? h('p', { class: 'faint' }, 'no body')
      : h('pre', { tabindex: '0' }, parsed === null ? body : json(parsed)),
  ];
}

const requestPart = ({ request }: ExchangeJson): Child =>
  section('Request', [
    request.contentEncoding !== null && h('p', {}, `The body came as ${request.contentEncoding}; decompressed it is:`),
    messagePart(request),
  ]);

const responsePart = ({ response }: ExchangeJson): Child =>
  section(
    'Response of the service',
    response
      ? [h('p', {}, `status ${response.status}`), messagePart(response)]
      : h('p', {}, 'None: a fault came before it.'),
  );

function deliveredPart({ response, delivered }: ExchangeJson): Child {
  if (!delivered) return null;
  const { status, bytes, end, body } = delivered;
  const isSame = end === 'normal' && status === response?.status && body === response.body;
  if (isSame) return section('Delivered response', h('p', { class: 'faint' }, 'The same.'));
  const facts = `${status === null ? 'no status line' : `status ${status}`} · ${pluralize(bytes, 'byte')} of the body · ${endDescriptions[end]}`;
  return section('Delivered response', h('p', {}, facts), messagePart(delivered));
}

const nearMissPart = ({ nearMisses }: ExchangeJson): Child =>
  listPart(
    'Near misses',
    nearMisses.map(({ rule, reason }) => h('li', {}, chip(rule), ` ${reason}`)),
  );

const assumptionItem = ({ id, topic, inForce }: ExchangeJson['assumptions'][number]): HTMLElement =>
  h('li', {}, h('a', { href: `/__admin/docs#${id}` }, id), ` ${topic}`, inForce !== 'default' && [' ', chip(inForce)]);

const assumptionPart = ({ assumptions }: ExchangeJson): Child =>
  listPart('Assumptions', assumptions.map(assumptionItem));
