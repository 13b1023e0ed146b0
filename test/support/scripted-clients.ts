/** Plays clients that are written down as scripts, and judges them. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Exchange } from '../../src/core/exchange/exchange.ts';
import type { RuleInput } from '../../src/faults/rule-schema.ts';
import type { PolicyInput } from '../../src/scenario/policy-schema.ts';
import type { Verdict } from '../../src/verdict/verdict.ts';
import type { Sim } from '../../src/simulator/sim.ts';
import { playInTime } from './in-time.ts';
import { pointsRow } from './judged.ts';
import { startSim } from './open-sim.ts';
import { astrid, bo, nobody } from './people.ts';
import { receiptOf } from './receipt.ts';
import { isComplete, openWire } from './wire.ts';
import type { Wire } from './wire.ts';

/**
 * A script is what the client does, one after another: a number is a pause in ms, `>600` moves the clock instead, `o@2`
 * opens connection 2, and any other word is a request, its connection, and what becomes of it. `a:fin` reads Astrid on
 * a connection of its own, which ends without a byte; `R@1:ok` sends a receipt on connection 1, which is kept;
 * `a:503r1` gets a request to wait a second. `&` does not wait for the response, and `.` waits for all of them.
 */
export type Row = readonly [script: string, policy: PolicyInput | undefined, expected: string, why: string];

/** Lists the headers of each client, besides those of the body. */
const clients: Record<string, readonly string[]> = {
  till: ['user-agent: Till/2.1'],
  nobody: [],
  declared: ['user-agent: Till/2.1', 'x-sim-client: till-7'],
  closing: ['user-agent: Till/2.1', 'connection: close'],
  axios: [
    'accept: application/json, text/plain, */*',
    'user-agent: axios/1.7.9',
    'accept-encoding: gzip, compress, deflate, br',
    'connection: keep-alive',
  ],
  requests: [
    'user-agent: python-requests/2.31.0',
    'accept-encoding: gzip, deflate',
    'accept: */*',
    'connection: keep-alive',
  ],
  node: [
    'connection: keep-alive',
    'accept: */*',
    'accept-language: *',
    'sec-fetch-mode: cors',
    'user-agent: node',
    'accept-encoding: gzip, deflate',
  ],
  ruby: ['accept-encoding: gzip;q=1.0,deflate;q=0.6,identity;q=0.3', 'accept: */*', 'user-agent: Ruby'],
  go: ['user-agent: Go-http-client/1.1', 'accept-encoding: gzip'],
  curl: ['user-agent: curl/8.5.0', 'accept: */*'],
  urllib3: ['accept-encoding: identity', 'user-agent: python-urllib3/2.2.1'],
  java: ['user-agent: Java-http-client/17.0.15'],
};

type Op = readonly [method: string, path: string, body?: unknown, header?: string];

const receipt: Op = ['POST', '/receipts', receiptOf(astrid, 'till-1')];
const points: Op = ['POST', '/point-accounts/transactions', [pointsRow]];
const operations: Record<string, Op> = {
  w: ['GET', '/contacts/count'],
  a: ['GET', `/contacts/${astrid}`],
  b: ['GET', `/contacts/${bo}`],
  d: ['GET', `/contacts/${astrid}`, undefined, 'x-attempt: 1'],
  e: ['GET', `/contacts/${astrid}`, undefined, 'x-attempt: 2'],
  c: ['GET', `/contacts/${astrid}`, undefined, 'x-sim-client: till-8'],
  u: ['GET', `/contacts/${astrid}`, undefined, 'x-sim-client: till-9'],
  n: ['GET', `/contacts/${nobody}`],
  l: ['GET', `/point-accounts?contactId=${astrid}`],
  R: receipt,
  q: ['POST', '/receipts', receiptOf(astrid, 'till-1'), 'x-attempt: 1'],
  S: ['POST', '/receipts', receiptOf(bo, 'till-2')],
  P: ['PATCH', `/contacts/${astrid}`, { street: 'Hamngatan 3' }],
  B: points,
  K: [points[0], points[1], points[2], 'idempotency-key: points-1'],
  A: ['POST', `/challenges/definitions/9b1d0c00-cccc-4000-8000-000000000002/assign?contactId=${bo}`],
  V: ['POST', '/promotions/codes/9b1d0c00-aaaa-4000-8000-000000000001/redeem'],
};

type Fault = Exclude<RuleInput['fault'], readonly unknown[]>;

/** Returns the fault that the simulator gets for what becomes of a request. */
function faultOf(outcome: string): Fault {
  const phase = outcome.endsWith('+') ? ('after' as const) : ('before' as const);
  if (outcome.startsWith('fin')) return { phase, respond: 'none', end: 'close' };
  if (outcome.startsWith('rst')) return { phase, respond: 'none', end: 'reset' };
  if (outcome.startsWith('hang')) return { phase, respond: 'none', end: 'hang' };
  if (outcome === 'cut') return { phase: 'after', respond: 'partial', end: 'close' };
  if (outcome === 'slow504') return { delay: '1s', status: 504 };
  if (outcome.startsWith('slow')) return { phase: 'after', delay: `${outcome.slice(4)}ms` };
  const [status = '', seconds] = outcome.split('r');
  const asked = seconds === undefined ? {} : { headers: { 'Retry-After': seconds } };
  return outcome === 'ok' ? 'ok' : { phase, status: Number.parseInt(status, 10), ...asked };
}

interface Word {
  readonly op: string;
  readonly connection: string | undefined;
  readonly outcome: string;
  readonly isAwaited: boolean;
}

function parseWord(word: string): Word | undefined {
  const [, ampersand, op = '', connection, outcome = ''] = /^(&?)([a-zA-Z])(?:@(\d+))?:(.+)$/.exec(word) ?? [];
  return op === '' ? undefined : { op, connection, outcome, isAwaited: ampersand === '' };
}

function bytesOf([method, path, body, header]: Op, tenant: string, headers: readonly string[]): string {
  const text = body === undefined ? '' : JSON.stringify(body);
  const about = body === undefined ? [] : ['content-type: application/json'];
  const length = method === 'GET' ? [] : [`content-length: ${Buffer.byteLength(text)}`];
  const lines = ['host: localhost', ...headers, ...(header === undefined ? [] : [header]), ...about, ...length];
  return [`${method} /t/${tenant}/api/v3${path} HTTP/1.1`, ...lines, '', text].join('\r\n');
}

/** Sends a request, and waits until it is over. */
async function send(wire: Wire, bytes: string, outcome: string): Promise<void> {
  const before = wire.heard().length;
  wire.write(bytes);
  if (/^(?:fin|rst|cut)/.test(outcome)) await wire.ended;
  else if (outcome === 'hang') await wire.ended;
  else if (outcome.startsWith('hang')) {
    // A connection that is closed before it is there sends nothing.
    await wire.opened;
    await sleep(Number(outcome.slice(4)));
    wire.close();
  } else await wire.until((heard) => isComplete(heard.subarray(before)));
}

const patience = { timeout: 60_000, interval: 10 };

let sim: Sim;
let port = 0;
let tenants = 0;

/** True when nobody waits for a response any more. */
const isOver = ({ finishedAt, delivered }: Exchange): boolean =>
  finishedAt !== undefined && delivered?.heldUntil !== Number.POSITIVE_INFINITY;

/** Plays a row in a tenant of its own; returns its name. */
async function play(client: string, [script, policy]: Row): Promise<string> {
  const tenant = `row-${++tenants}`;
  const words = script.split(' ');
  const faults = words.flatMap((word) => parseWord(word) ?? []).map(({ outcome }) => faultOf(outcome));
  const rules = faults.every((fault) => fault === 'ok') ? [] : [{ fault: faults }];
  await sim.tenant(tenant).applyScenario({ rules, ...(policy && { policy }) });
  const open = new Map<string, Wire>();
  const all: Wire[] = [];
  const pending: Promise<void>[] = [];
  const connect = (): Wire => {
    const wire = openWire(port);
    all.push(wire);
    return wire;
  };
  const connectionOf = (name: string): Wire => {
    const wire = open.get(name) ?? connect();
    open.set(name, wire);
    return wire;
  };
  const request = async ({ op, connection, outcome }: Word): Promise<void> => {
    const wire = connection === undefined ? connect() : connectionOf(connection);
    await send(wire, bytesOf(operations[op] ?? receipt, tenant, clients[client] ?? []), outcome);
    if (connection === undefined) wire.close();
  };
  for (const word of words) {
    const parsed = parseWord(word);
    if (parsed?.isAwaited) await request(parsed);
    else if (parsed) pending.push(request(parsed));
    else if (word.startsWith('o@')) connectionOf(word.slice(2));
    else if (word === '.') await Promise.all(pending);
    else if (word.startsWith('>')) await sim.tenant(tenant).clock.advance(`${word.slice(1)}ms`);
    else await sleep(Number(word));
  }
  for (const wire of all) wire.close();
  await Promise.all(pending);
  await vi.waitUntil(() => sim.tenant(tenant).requests().filter(isOver).length === faults.length, patience);
  return tenant;
}

/**
 * Limits how late a request may be that is sent at once, in ms: on kept connections a library's is certain within 20
 * ms, and elsewhere pauses below 50 ms are alike, but a longer one between short ones may separate two pieces of work.
 */
const latestOf = (script: string): number => (script.includes('w@') ? 12 : 40);

/**
 * Limits how late a request may be that is sent after a pause below so many ms, in ms: below 50 ms pauses are alike.
 */
const [shortPause, latestAfterShortPause] = [35, 15];

/**
 * Limits how late a request may be that is sent after a longer pause, in ms: one that is 50 ms below what is declared
 * is long enough.
 */
const latestAfterPause = 40;

/** Returns how long after the response before it a word is to be sent, in ms; undefined where that does not matter. */
function latestAfter(words: readonly string[], i: number, script: string): number | undefined {
  const [before = '', beforeThat = ''] = [words[i - 1], words[i - 2]];
  if (before === '.' || parseWord(before)) return latestOf(script);
  const isPause = /^\d+$/.test(before) && (beforeThat === '.' || parseWord(beforeThat)?.isAwaited);
  if (!isPause) return undefined;
  const pause = Number(before);
  return pause + (pause < shortPause ? latestAfterShortPause : latestAfterPause);
}

/** Limits how long a response may take that nothing delays, in ms: a client may take a slower one for none. */
const longestResponse = 80;

const isQuick = ({ startedAt, finishedAt = 0, fault }: Exchange): boolean =>
  fault?.fault.delay !== undefined || fault?.fault.end === 'hang' || finishedAt - startedAt <= longestResponse;

/** True if all that was to be sent at once, or after a pause, came in time, which a busy machine can spoil. */
function isPrompt(tenant: string, script: string): boolean {
  const exchanges = sim.tenant(tenant).requests();
  if (!exchanges.every(isQuick)) return false;
  const words = script.split(' ');
  const exchangeOf = (i: number) => exchanges[words.slice(0, i).filter((one) => parseWord(one)).length];
  const isWithin = (from: number, to: number, latest: number | undefined): boolean => {
    const [before, now] = [exchangeOf(from), exchangeOf(to)];
    if (latest === undefined || !before || !now) return true;
    const over = before.delivered?.heldUntil ?? before.delivered?.observableAt ?? before.finishedAt ?? 0;
    return now.startedAt - over <= latest;
  };
  return words.every((word, i) => {
    if (!parseWord(word)) return true;
    const last = words.findLastIndex((one, j) => j < i && parseWord(one));
    const repeated = repeatedAtOnce(words, i);
    return isWithin(last, i, latestAfter(words, i, script)) && isWithin(repeated, i, latestOf(script) * 1.5);
  });
}

/** Finds the word that this one sends again at once, with nothing but other requests in between; -1 without one. */
function repeatedAtOnce(words: readonly string[], i: number): number {
  const op = parseWord(words[i] ?? '')?.op;
  const begun = words.findLastIndex((one, j) => j < i && one !== '.' && !parseWord(one)) + 1;
  return words.findLastIndex((one, j) => j >= begun && j < i && parseWord(one)?.op === op);
}

/** Limits how long a row may take, in ms, before what it waits for is reported: none takes a tenth of it. */
const longestRow = 40_000;

/** Plays a row, and once more if it does not come to its end; tells then what it was waiting for. */
async function playWatched({ client, row, name }: Case): Promise<string> {
  const stuck = Symbol('stuck');
  const watch = new AbortController();
  const late = sleep(longestRow, stuck, { signal: watch.signal }).catch(() => stuck);
  const tenant = `row-${tenants + 1}`;
  const first = play(client, row);
  first.catch(() => {});
  const ended = await Promise.race([first, late]);
  watch.abort();
  if (typeof ended === 'string') return ended;
  const requests = sim.tenant(tenant).requests();
  const seen = requests.map(({ id, status, fault, delivered, finishedAt }) =>
    JSON.stringify({ id, status, fault: fault?.fault, delivered, finishedAt }),
  );
  process.stderr.write(`${name} did not end in ${longestRow} ms: ${seen.join('\n')}\n`);
  return play(client, row);
}

const plays = 100;

/** Plays a row until the client was as prompt as it is meant to be. */
async function playPromptly({ client, row, name }: Case): Promise<string> {
  let tenant = played.get(name) ?? (await play(client, row));
  for (let i = 0; i < plays && !isPrompt(tenant, row[0]); i++) tenant = await play(client, row);
  played.delete(name);
  return tenant;
}

/** Judges a row, which is played again if the simulator was late. */
const judge = (one: Case): Promise<Verdict> =>
  playInTime(async () => sim.verdict({ tenant: await playPromptly(one), clientEnded: true }));

interface Case {
  readonly client: string;
  readonly row: Row;
  readonly name: string;
}

/** Returns `FAIL R6 R7`, or `PASS`. */
function summaryOf({ verdict, operations: judged }: Verdict): string {
  const failed = judged.flatMap(({ findings }) => findings.filter(({ level }) => level === 'fail'));
  return [verdict, ...[...new Set(failed.map(({ rule }) => rule))].toSorted()].join(' ');
}

/** Holds the tenant of each row. */
const played = new Map<string, string>();

/** Lets few play at once, so that what a client sends at once comes at once. */
const playersAtOnce = 6;

/** `FAIL R6|R7` stands for two verdicts, and so does `INCONCLUSIVE|PASS`. */
const allowed = (expected: string): string[] =>
  expected.startsWith('FAIL ') && !expected.includes('INCONCLUSIVE')
    ? expected
        .slice(5)
        .split('|')
        .map((failed) => `FAIL ${failed}`)
    : expected.split('|');

/** Plays the rows of each client in one simulator, and holds each to its verdict. */
export function judgeScripts(rows: Readonly<Record<string, readonly Row[]>>): void {
  const cases = Object.entries(rows).flatMap(([client, list]) =>
    list.map((row, i): Case => ({ client, row, name: `${client} ${i + 1}: ${row[0]}` })),
  );

  beforeAll(async () => {
    // A clock that stands still: the machine's own may jump.
    sim = await startSim({ now: '2026-03-01T12:00:00Z' });
    ({ port } = await sim.listen());
    for (const { client, row } of cases.slice(5, 12)) await play(client, row);
    const waiting = cases.toSorted((one, other) => other.row[0].length - one.row[0].length);
    const player = async (): Promise<void> => {
      for (let next = waiting.shift(); next; next = waiting.shift()) played.set(next.name, await playWatched(next));
    };
    await Promise.all(Array.from({ length: playersAtOnce }, player));
  });

  afterAll(() => sim.close());

  it.each(cases)('judges $name', async (one) => {
    const [, , expected, why] = one.row;
    const verdict = await judge(one);
    expect(allowed(expected), `${why}; ${verdict.reason}`).toContain(summaryOf(verdict));
  });
}
