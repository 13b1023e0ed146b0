/** Which calls an expectation means, and how others differ from them. */
import type { Exchange } from '../core/journal.ts';
import { pathPattern } from '../core/path-pattern.ts';
import { formsOf } from '../resources/named-contacts.ts';
import type { Asked } from '../scenario/asked.ts';
import type { ExpectedCall } from '../scenario/expected-call-schema.ts';
import { shownValue, wantedOf } from '../scenario/wanted.ts';
import { idOf, isFromScript, isOver } from './evidence.ts';
import type { Evidence } from './evidence.ts';
import { differences, isWanted } from './values.ts';

/** How a call differs from those meant, in words; nothing when it is one of them. */
export const differencesOf = (wanted: ExpectedCall, asked: Asked): string[] => [
  ...requestDifferences(wanted, asked),
  ...answerDifferences(wanted, asked),
];

function requestDifferences(wanted: ExpectedCall, asked: Asked): string[] {
  const { exchange } = asked.call;
  if (!isPlace(wanted, asked)) return [`it is ${exchange.method} ${exchange.path}`];
  const { query, headers, body, contact, by } = wanted;
  const sender = isFromScript(asked) ? 'script' : 'client';
  const isAbout = contact === undefined || formsOf(contact).some((form) => asked.contacts.has(form));
  return [
    ...(query ? queryDifferences(query, asked) : []),
    ...(headers ? textDifferences('header', headers, asked.call.header) : []),
    ...(body
      ? differences(body, asked.body, 'body').map(({ place, actual }) => `${place} is ${shownValue(actual)}`)
      : []),
    ...(isAbout ? [] : ['it is not about this contact']),
    ...(by === undefined || by === sender ? [] : [`it was sent by a ${sender}`]),
  ];
}

function queryDifferences(wanted: Readonly<Record<string, unknown>>, { call }: Asked): string[] {
  const { query } = call;
  return textDifferences('query', wanted, (name) => query.get(name) ?? undefined);
}

/** Whether a call went to the endpoint or path that is meant. */
function isPlace({ endpoint, method, path }: ExpectedCall, { call }: Asked): boolean {
  const { exchange } = call;
  if (endpoint !== undefined && !(call.endpoint !== undefined && isOneOf(endpoint, call.endpoint))) return false;
  if (method !== undefined && method.toUpperCase() !== exchange.method) return false;
  return path === undefined || exchange.path === path || pathPattern(path)(exchange.path);
}

const isOneOf = (wanted: string | readonly string[], one: string): boolean =>
  typeof wanted === 'string' ? wanted === one : wanted.includes(one);

/** Parameters and headers are texts, whatever they are compared with. */
function textDifferences(
  where: string,
  wanted: Readonly<Record<string, unknown>>,
  valueOf: (name: string) => string | undefined,
): string[] {
  return Object.entries(wanted).flatMap(([name, one]) => {
    const [actual, text] = [valueOf(name), typeof one === 'boolean' ? String(one) : one];
    return isWanted(text, actual) ? [] : [`${where}.${name} is ${shownValue(actual)}`];
  });
}

function answerDifferences({ status, delivered }: ExpectedCall, asked: Asked): string[] {
  const { exchange } = asked.call;
  if (!isOver(asked)) return status === undefined && delivered === undefined ? [] : ['it is still under way'];
  const isTold = status === undefined || [status].flat().some((one) => isStatus(one, exchange.status));
  const got = deliveredOf(exchange);
  return [
    ...(isTold ? [] : [`its status is ${exchange.status ?? 'none'}`]),
    ...(delivered === undefined || delivered === got ? [] : [`${got} of the answer was delivered`]),
  ];
}

/** Whether a status is one such as 404, one of a class such as 4xx, or there was none. */
export function isStatus(wanted: number | string, status: number | undefined): boolean {
  if (wanted === 'none' || status === undefined) return wanted === 'none' && status === undefined;
  return typeof wanted === 'number' ? wanted === status : wanted[0] === String(status)[0];
}

/** How much of an answer a caller got. */
function deliveredOf({ delivered, fault }: Exchange): NonNullable<ExpectedCall['delivered']> {
  if (!delivered) return 'whole';
  if (delivered.status === undefined && delivered.bytes === 0) return 'nothing';
  const isWhole = delivered.end === 'normal' && (fault?.fault.respond === 'full' || fault?.fault.respond === 'status');
  return isWhole ? 'whole' : 'partly';
}

interface FoundCalls {
  readonly found: readonly Asked[];
  /** Those that may turn out to be meant when they are over. */
  readonly open: readonly Asked[];
}

export function findCalls({ calls }: Evidence, wanted: ExpectedCall): FoundCalls {
  const meant = calls.filter((call) => requestDifferences(wanted, call).length === 0);
  const found = meant.filter((call) => answerDifferences(wanted, call).length === 0);
  return { found, open: meant.filter((call) => !isOver(call) && !found.includes(call)) };
}

const maxNear = 3;

/** The calls that come nearest to what was meant, and how they differ: `default-3 differs: body.storeExternalId is "100"`. */
export function nearest({ calls }: Evidence, wanted: ExpectedCall): string[] {
  const there = calls.filter((call) => isPlace(wanted, call));
  const near = there
    .map((call) => ({ call, reasons: differencesOf(wanted, call) }))
    .filter(({ reasons }) => reasons.length > 0)
    .toSorted((a, b) => a.reasons.length - b.reasons.length)
    .slice(0, maxNear);
  if (near.length > 0) return near.map(({ call, reasons }) => `${idOf(call)} differs: ${reasons.join(', ')}`);
  const last = calls.at(-1)?.call.exchange;
  if (!last) return ['no call arrived'];
  if (there.length > 0) return [];
  return [`no call went there; the last of ${calls.length} was ${last.method} ${last.path} (${last.id})`];
}

/** A kind of call, for a person to read: `POST /api/v3/receipts with body.storeExternalId "600"`. */
export function callWords(wanted: ExpectedCall): string {
  const { endpoint = [], method, path, by } = wanted;
  const target = [[endpoint].flat().join(' or '), method?.toUpperCase(), path].filter(Boolean).join(' ');
  const sender = by === undefined ? '' : ` sent by a ${by}`;
  const conditions = conditionWords(wanted);
  return `${target || 'any call'}${sender}${conditions.length > 0 ? ` with ${conditions.join(' and ')}` : ''}`;
}

function conditionWords({ query, headers: header, body, contact, status, delivered }: ExpectedCall): string[] {
  const values = Object.entries({ query, header, body }).flatMap(([where, wanted]) =>
    Object.entries(wanted ?? {}).map(([name, value]) => `${where}.${name} ${wantedOf(value).text}`),
  );
  return [
    ...values,
    ...(contact === undefined ? [] : [`contact ${contact}`]),
    ...(status === undefined ? [] : [`status ${[status].flat().join(' or ')}`]),
    ...(delivered === undefined ? [] : [`${delivered} of the answer delivered`]),
  ];
}
