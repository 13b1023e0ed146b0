/** All there is to know of one call. */
import { chip, folded, json, make, momentOf, plural, section } from './elements.ts';
import type { Child } from './elements.ts';
import { effectList } from './effects.ts';
import { kindOf, told } from './call-line.ts';
import { needsKey } from './service.ts';
import type { Exchange, ExchangeLine } from './shown.ts';

type Message = Exchange['request'];

export const exchangeCard = (exchange: Exchange): HTMLElement =>
  make(
    'article',
    { class: 'exchange', 'aria-label': exchange.id },
    head(exchange),
    faultPart(exchange),
    warningPart(exchange),
    section('Effects', effectList(exchange.effects)),
    exchange.jobs.length > 0 &&
      section(
        'Done later for it',
        exchange.jobs.map(({ job, at }) => make('p', {}, `job ${job} at ${momentOf(at)}`)),
      ),
    section('Request', messagePart(exchange.request)),
    answerPart(exchange),
    deliveredPart(exchange),
    nearMissPart(exchange),
    assumptionPart(exchange),
    exchange.endpoint !== null &&
      make('p', {}, make('a', { href: `#faults/${exchange.endpoint}` }, 'Let such calls fail …')),
  );

/** The card counts the effects that the line has. */
const asLine = (exchange: Exchange): ExchangeLine => ({
  ...exchange,
  effects: exchange.effects.length,
  assumptions: [],
});

function head(exchange: Exchange): Child {
  const { id, at, method, path, query, endpoint, ms, connection } = exchange;
  const line = asLine(exchange);
  const by = connection && `connection ${connection.id}, its request ${connection.request}`;
  return [
    make(
      'h2',
      {},
      make('span', { class: `method ${method.toLowerCase()}` }, method),
      ' ',
      make('span', { class: 'path' }, path),
    ),
    query !== '' && make('p', { class: 'query' }, `?${query}`),
    make('p', {}, make('span', { class: `told ${kindOf(line)}` }, told(line)), ` ${sentenceOf(exchange)}`),
    make(
      'p',
      { class: 'faint' },
      [id, momentOf(at), endpoint ?? 'no endpoint', ms !== null && `${ms} ms`, by].filter(Boolean).join(' · '),
    ),
  ];
}

const endings = {
  normal: 'the caller got it whole',
  fin: 'the connection was closed before the caller had all of it',
  rst: 'the connection was reset',
  hang: 'the caller was left hanging',
  client: 'the caller hung up',
} as const;

/** What became of the call, in a sentence. */
function sentenceOf({ answer, status, end, fault }: Exchange): string {
  if (end === null) return 'The caller is still waiting.';
  const did = answer ? `The service answered ${answer.status}` : 'The service did nothing';
  const got =
    status === null
      ? `the caller was told nothing: ${endings[end]}`
      : `the caller was told ${status}, and ${endings[end]}`;
  return fault || end !== 'normal' ? `${did}; ${got}.` : `${did}.`;
}

function faultPart({ fault }: Exchange): Child {
  if (!fault) return null;
  const { rule, hit, phase, respond, status, end, delay, time, pieces } = fault;
  const facts = [
    `${phase} the work`,
    `answer: ${respond}${status === null ? '' : ` ${status}`}`,
    `end: ${end}`,
    delay > 0 && `delay: ${delay} ms${time === 'virtual' ? ' on the clock' : ''}`,
    pieces > 1 && `in ${pieces} pieces`,
  ];
  return section('Fault', make('p', {}, chip(rule, 'fault'), ` hit ${hit} · ${facts.filter(Boolean).join(' · ')}`));
}

/** A section with a list, unless there is nothing in it. */
function listPart(title: string, items: readonly HTMLElement[]): Child {
  return items.length === 0 ? null : section(title, make('ul', {}, items));
}

const warningPart = ({ warnings }: Exchange): Child =>
  listPart(
    'Warnings',
    warnings.map(({ code, message }) => make('li', {}, chip(code, 'warning'), ` ${message}`)),
  );

function messagePart({ headers, body, json: parsed }: Message): Child {
  const names = Object.entries(headers);
  return [
    folded(
      plural(names.length, 'header'),
      make('pre', {}, names.map(([name, value]) => `${name}: ${value}`).join('\n')),
    ),
    body === null || body === ''
      ? make('p', { class: 'faint' }, 'no body')
      : make('pre', { tabindex: '0' }, parsed === null ? body : json(parsed)),
  ];
}

const answerPart = ({ answer }: Exchange): Child =>
  section(
    'Answer of the service',
    answer
      ? [make('p', {}, `status ${answer.status}`), messagePart(answer)]
      : make('p', {}, 'None: a fault came before it.'),
  );

function deliveredPart({ answer, delivered }: Exchange): Child {
  if (!delivered) return null;
  const { status, bytes, end, body } = delivered;
  const isSame = end === 'normal' && status === answer?.status && body === answer.body;
  if (isSame) return section('What the caller got', make('p', { class: 'faint' }, 'The same.'));
  const facts = `${status === null ? 'no status line' : `status ${status}`} · ${plural(bytes, 'byte')} of the body · ${endings[end]}`;
  return section('What the caller got', make('p', {}, facts), messagePart(delivered));
}

const nearMissPart = ({ nearMisses }: Exchange): Child =>
  listPart(
    'Rules that nearly fired',
    nearMisses.map(({ rule, reason }) => make('li', {}, chip(rule), ` ${reason}`)),
  );

const assumptionItem = ({ id, topic, inForce }: Exchange['assumptions'][number]): HTMLElement =>
  make(
    'li',
    {},
    needsKey() ? id : make('a', { href: `/__admin/docs#${id}` }, id),
    ` ${topic}`,
    inForce !== 'default' && [' ', chip(inForce)],
  );

const assumptionPart = ({ assumptions }: Exchange): Child => listPart('Rests on', assumptions.map(assumptionItem));
