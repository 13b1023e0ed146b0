/** Says in words what a row of a certificate tests, expects and saw: nothing that differs from run to run. */
import { capitalized } from '../../core/lib/capitalized.ts';
import type { RetryClass } from '../../core/exchange/endpoint.ts';
import { endpoints } from '../../service/endpoints.ts';
import { assumptionsOf } from '../../core/exchange/exchange.ts';
import { toAttempt } from '../../verdict/history/attempt.ts';
import { retryRules } from '../../verdict/rules/catalog.ts';
import type { PointFate } from '../coverage.ts';
import { killLevel, parsePoint, webhookLevel } from '../experiment.ts';
import { probeOf } from '../probes.ts';
import type { ProbeKind } from '../probes.ts';
import { placeOf } from '../report/coverage-table.ts';
import { formatHit, formatKill } from '../report/words.ts';
import type { RunResult } from '../run.ts';
import type { Symptom } from '../symptoms.ts';
import type { Call } from '../trace.ts';

type Point = Pick<PointFate, 'id' | 'level'>;

const endpointById = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]));

/** Returns `Creates a receipt (createReceipt)`; outages are about everything. */
export function functionalityOf({ id, level }: Point): string {
  if (level === outageLevel) return 'All requests';
  const { endpoint } = placeOf(id);
  if (level === webhookLevel) return `Webhook ${endpoint}`;
  const { summary } = endpointById.get(endpoint) ?? {};
  return summary === undefined ? 'All requests' : `${summary} (${endpoint})`;
}

const outageLevel = 3;

const lastingPoint = /^(\w+) (?:for good|(\d+) ×)\/([\w-]+)$/;
const outagePoint = /^outage of (\d+) from (\w+)#[\d.]+\/([\w-]+)$/;

/** Returns what goes wrong, as a sentence. */
export function actionOf({ id }: Point, { experiment: { title, kill } }: RunResult): string {
  if (kill) return sentence(formatKill(kill));
  const [, lasting, times, fault = ''] = lastingPoint.exec(id) ?? [];
  if (lasting !== undefined)
    return sentence(`${times === undefined ? 'each' : `${times} times in a row,`} ${lasting} ${probeOf(fault).says}`);
  const [, count, from, failing = ''] = outagePoint.exec(id) ?? [];
  if (from !== undefined)
    return sentence(`each of ${count} requests in a row, from the first ${from} on, ${probeOf(failing).says}`);
  const hits = id.split(' then ').flatMap((part) => parsePoint(part) ?? []);
  return sentence(hits.length === 0 ? title : hits.map(formatHit).join('; then '));
}

const sentence = (text: string): string => `${capitalized(text)}.`;

const repeatedAs: Readonly<Record<RetryClass, string>> = {
  safe: 'It is read again after a pause. If no response comes, that is not taken for "not there".',
  idempotent: 'It is sent again with the same content after a pause, and the state is as without faults.',
  keyed:
    'It is sent again with the same key and content after a pause, takes effect once, and the state is as without faults.',
  unkeyed: 'It is read back before it is sent again, takes effect once, and the state is as without faults.',
  once: 'It is read back before it is sent again, takes effect once, and the state is as without faults.',
};

const expectedAfter: Readonly<Partial<Record<ProbeKind, string>>> = {
  rejected: 'The same request is not sent again: the response is final.',
  throttled: 'It is not sent again before the time that Retry-After says; a write is not lost.',
  unavailable: 'It is sent again after a pause; a write is not lost.',
};

/** Returns what a client is expected to do at a point. */
export function expectedAt({ id, level }: Point): string {
  if (level === killLevel)
    return 'After it is started again, nothing that was confirmed as done is lost, and nothing is doubled.';
  if (level === outageLevel)
    return 'Nothing is lost or doubled, writes are delivered later in their order, and few requests are sent when the service is back.';
  if (level === webhookLevel)
    return 'It takes effect once, whenever it comes, and the state is as when it came in time.';
  const { endpoint, probe } = placeOf(id);
  const retry = endpointById.get(endpoint)?.retry ?? 'safe';
  const expected = expectedAfter[probeOf(probe).kind] ?? repeatedAs[retry];
  if (level !== 2) return expected;
  return `${expected} After its last attempt ${retry === 'safe' ? 'it is given up' : 'it is kept, and delivered later, once'}.`;
}

/** Holds the levels of faults at single requests, after which the client takes the same steps each time. */
const exactLevels: ReadonlySet<number> = new Set([1, 4]);

/** Returns how the requests that were hit ended: of single faults all ends in their order, and otherwise the last one. */
export function attemptsIn(result: RunResult): string {
  const { level, kill } = result.experiment;
  if (kill) return 'Killed, and started again.';
  // How many requests an outage hits depends on how fast the client is.
  if (level === outageLevel || level === webhookLevel) return '';
  const texts = [...hitOperations(result)].map(([name, calls]) => {
    const ends = calls.map(endOf);
    const different = ends.filter((end, i) => end !== ends[i - 1]);
    return `${name}: ${exactLevels.has(level) ? different.join(', then ') : `${ends.at(-1)} in the end`}`;
  });
  return texts.length === 0 ? '' : `${texts.toSorted().join('; ')}.`;
}

/** Returns the assumptions that the service's responses rest on: without faults to the same endpoint, and to what was hit. */
export function assumptionsAt({ id, level }: Point, result: RunResult, plain: RunResult): string[] {
  const { endpoint } = placeOf(id);
  const isOfAll = level === 0 || level === outageLevel || level === webhookLevel;
  const calls = [
    ...plain.calls.filter((call) => isOfAll || call.endpoint === endpoint),
    ...(isOfAll ? [] : [...hitOperations(result).values()].flat()),
  ];
  return [...new Set(calls.flatMap(({ exchange }) => assumptionsOf(exchange)))];
}

/** Returns the requests of each operation that was hit, or at which the client was killed. */
function hitOperations({ calls, hits, experiment: { kill } }: RunResult): ReadonlyMap<string, readonly Call[]> {
  const names = new Set([...hits, ...(kill ? [kill] : [])].map(operationOf));
  return new Map([...names].map((name) => [name, calls.filter((call) => operationOf(call) === name)]));
}

const operationOf = ({ endpoint, operation }: Pick<Call, 'endpoint' | 'operation'>): string =>
  `${endpoint}#${operation}`;

function endOf({ exchange }: Call): string {
  const { outcome } = toAttempt(exchange);
  if (outcome === 'no-response') return 'no response';
  return outcome === 'in-flight' ? 'not ended' : `status ${exchange.status}`;
}

/** Names the rules whose messages tell times, which are never the same twice. */
const timed: ReadonlySet<string> = new Set(
  retryRules.filter(({ certainty }) => certainty === 'timing').map(({ id }) => id),
);

/** Returns what is wrong: the rule, and what it saw, without what differs from run to run. */
export function describeSymptoms(symptoms: readonly Symptom[]): string[] {
  const texts = symptoms.map(({ rule, title, message }) =>
    timed.has(rule) || rule === 'end' ? `${rule} ${title}` : `${rule} ${title}: ${lasting(message)}`,
  );
  return [...new Set(texts)].toSorted();
}

const varying = /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/gi;
const personal = /"[^"]*"|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|\+\d{6,}/g;

/** Keeps the first clause of a message, without ids of requests and things, times, and what names a person. */
export const lasting = (message: string): string =>
  (message.split(/: |\n/, 1)[0] ?? '')
    .replaceAll(/ ?\(run-\d+-\d+\)/g, '')
    .replaceAll(/\brun-\d+-\d+/g, 'a request')
    .replaceAll(varying, '{id}')
    .replaceAll(personal, '…')
    .replaceAll(/\b\d+(?:\.\d+)? m?s\b/g, '… s');
