/** The calls of a journal, and which of them an expectation means. */
import type { Call } from '../core/faults.ts';
import type { Exchange } from '../core/journal.ts';
import type { Tenant } from '../core/tenant.ts';
import { pathPattern } from '../core/path-pattern.ts';
import type { ExpectedCall } from '../scenario/expectation-schema.ts';
import { servedAt } from './served.ts';
import { differences, isWanted, shown, wantedWords } from './values.ts';
import type { Difference } from './values.ts';

/** The header by which a script says that a call is a step of its own. */
export const stepHeader = 'x-sim-step';

/** A call of the journal, as rules see calls. */
function callOf(exchange: Exchange): Call {
  const { method, path, query, request } = exchange;
  const served = servedAt(method, path);
  return {
    exchange,
    // One that was turned away at the door didn't reach its endpoint.
    endpoint: exchange.endpoint ?? served?.endpoint.id,
    params: served?.params ?? {},
    query: new URLSearchParams(query),
    header: (name) => request.headers[name.toLowerCase()],
    get body() {
      return parsed(request.body ?? '');
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const isFromScript = ({ header }: Call): boolean => header(stepHeader) !== undefined;

/** What the journal holds of a tenant's calls, and how many it no longer does. */
export interface Evidence {
  readonly tenant: Tenant;
  readonly calls: readonly Call[];
  readonly evicted: number;
}

export const evidenceOf = (tenant: Tenant): Evidence => ({
  tenant,
  calls: [...tenant.journal.exchanges()].map(callOf),
  evicted: tenant.journal.evicted,
});

/** How a call differs from those meant, in words; nothing when it is one of them. */
export function differencesOf(wanted: ExpectedCall, call: Call): string[] {
  return [...requestDifferences(wanted, call), ...answerDifferences(wanted, call)];
}

export function requestDifferences(wanted: ExpectedCall, call: Call): string[] {
  const { exchange } = call;
  const { endpoint, method, path, query = {}, headers = {}, body = {}, by } = wanted;
  const ids = endpoint === undefined ? undefined : [endpoint].flat();
  const isElsewhere =
    (ids !== undefined && !ids.includes(call.endpoint ?? '')) ||
    (method !== undefined && method.toUpperCase() !== exchange.method) ||
    (path !== undefined && !pathPattern(path)(exchange.path));
  if (isElsewhere) return [`it is ${exchange.method} ${exchange.path}`];
  return [
    ...textDifferences('query', query, (name) => call.query.get(name) ?? undefined),
    ...textDifferences('header', headers, call.header),
    ...differences(body, call.body, 'body').map(asIs),
    ...(by !== undefined && (by === 'script') !== isFromScript(call)
      ? [`it was sent by ${isFromScript(call) ? 'a step of the script' : 'a client'}`]
      : []),
  ];
}

const asIs = ({ place, actual }: Difference): string => `${place} is ${shown(actual)}`;

/** Parameters and headers are texts, whatever they are compared with. */
function textDifferences(
  where: string,
  wanted: Readonly<Record<string, unknown>>,
  valueOf: (name: string) => string | undefined,
): string[] {
  return Object.entries(wanted).flatMap(([name, one]) => {
    const [actual, text] = [valueOf(name), typeof one === 'object' ? one : String(one)];
    return isWanted(text, actual) ? [] : [`${where}.${name} is ${shown(actual)}`];
  });
}

/** Whether the caller has been told all that it will be told. */
export const isOver = ({ exchange }: Call): boolean => exchange.finishedAt !== undefined;

function answerDifferences({ status, delivered }: ExpectedCall, call: Call): string[] {
  const { exchange } = call;
  if (!isOver(call)) return status === undefined && delivered === undefined ? [] : ['it is still under way'];
  const got = deliveredOf(exchange);
  return [
    ...(status === undefined || [status].flat().some((one) => isStatus(one, exchange.status))
      ? []
      : [`its status is ${exchange.status ?? 'none'}`]),
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

/** Those that are meant, and those that may turn out to be when they are over. */
export function findCalls(
  { calls }: Evidence,
  wanted: ExpectedCall,
): { readonly found: Call[]; readonly open: Call[] } {
  const meant = calls.filter((call) => requestDifferences(wanted, call).length === 0);
  const found = meant.filter((call) => answerDifferences(wanted, call).length === 0);
  return { found, open: meant.filter((call) => !isOver(call) && !found.includes(call)) };
}

export const idOf = ({ exchange }: Call): string => exchange.id;

const maxListed = 10;

/** `default-4, default-7`; of many only the first. */
export function listed(calls: readonly Call[]): string {
  const ids = calls.slice(0, maxListed).map(idOf).join(', ');
  return calls.length > maxListed ? `${ids} and ${calls.length - maxListed} more` : ids;
}

const maxNear = 3;

/** The calls that come nearest to what was meant, and how they differ: `default-3 differs: body.storeExternalId is "100"`. */
export function nearest({ calls }: Evidence, wanted: ExpectedCall): string[] {
  const others = calls
    .map((call) => ({ call, reasons: differencesOf(wanted, call) }))
    .filter(({ reasons }) => reasons.length > 0);
  const same = others.filter(({ call }) => requestDifferences(placeOf(wanted), call).length === 0);
  const near = same.toSorted((a, b) => a.reasons.length - b.reasons.length).slice(0, maxNear);
  if (near.length > 0) return near.map(({ call, reasons }) => `${idOf(call)} differs: ${reasons.join(', ')}`);
  const last = calls.at(-1)?.exchange;
  return last
    ? [`no call went there; the last of ${calls.length} was ${last.method} ${last.path} (${last.id})`]
    : ['no call arrived'];
}

const placeOf = ({ endpoint, method, path }: ExpectedCall): ExpectedCall => ({ endpoint, method, path });

/** A kind of call, for a person to read: `POST /api/v3/receipts with body.storeExternalId "600"`. */
export function callWords(wanted: ExpectedCall): string {
  const { endpoint, method, path, query = {}, headers = {}, body = {}, contact, status, delivered, by } = wanted;
  const target =
    [endpoint === undefined ? '' : [endpoint].flat().join(' or '), method?.toUpperCase() ?? '', path ?? '']
      .filter(Boolean)
      .join(' ') || 'any call';
  const conditions = [
    ...Object.entries({ query, header: headers, body }).flatMap(([where, values]) =>
      Object.entries(values).map(([name, value]) => `${where}.${name} ${wantedWords(value)}`),
    ),
    ...(contact === undefined ? [] : [`contact ${contact}`]),
    ...(status === undefined ? [] : [`status ${[status].flat().join(' or ')}`]),
    ...(delivered === undefined ? [] : [`${delivered} of the answer delivered`]),
  ];
  const sender = by === undefined ? '' : ` sent by ${by === 'script' ? 'a step' : 'a client'}`;
  return `${target}${sender}${conditions.length > 0 ? ` with ${conditions.join(' and ')}` : ''}`;
}
