/** What HTTP libraries repeat by themselves, and what is the program's own retry. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import { findingsOf, messagesOf, pointsRow } from '../support/judged.ts';
import { openSimOnPort } from '../support/open-sim-on-port.ts';
import { receiptOf } from '../support/receipt.ts';
import { astrid } from '../support/people.ts';
import { isComplete, openWire, rawRequest } from '../support/wire.ts';
import { inTime, notePause } from '../support/in-time.ts';

const policy = { minBackoff: '5s', tolerance: '1ms' };
const checkpoint = { contactId: astrid, definitionId: '9b1d0c00-cccc-4000-8000-000000000001', checkpointAmount: 1 };

const requests = {
  receipt: ['createReceipt', 'POST', '/api/v3/receipts', receiptOf(astrid, 'till-1')],
  points: ['addPointTransactions', 'POST', '/api/v3/point-accounts/transactions', [pointsRow]],
  checkpoints: ['awardCheckpoints', 'POST', '/api/v3/challenges/checkpoints', [checkpoint]],
  read: ['getContact', 'GET', `/api/v3/contacts/${astrid}`, undefined],
} as const;

interface Case {
  readonly agent: string;
  /** What is sent (default: a receipt). */
  readonly sends?: keyof typeof requests;
  /** Whether the connection that dies has served a request before. */
  readonly isKept: boolean;
  /** In ms. */
  readonly pause?: number;
  readonly fault?:
    | '503'
    | { readonly phase: 'before' | 'after'; readonly respond: 'none'; readonly end: 'reset' | 'close' };
  /** Sent with the second attempt only, or with both. */
  readonly header?: string;
  readonly isHeaderOnBoth?: boolean;
  /** Whether requests are sent as nginx does by default. */
  readonly isOld?: boolean;
  /** Who reads something between the two, on the connection of the second if it is the same program. */
  readonly between?: string;
}

const dies = { phase: 'after', respond: 'none', end: 'close' } as const;

/** Plays a request that fails once and is repeated on a new connection; returns what is found. */
const play = async (one: Case): Promise<string[]> => findingsOf(await played(one));

async function played({
  agent,
  sends = 'receipt',
  isKept,
  pause = 0,
  fault = dies,
  header,
  isHeaderOnBoth,
  isOld,
  between,
}: Case): Promise<Client> {
  const [endpoint, method, path, body] = requests[sends];
  const client = await openSimOnPort({ scenario: { policy, rules: [{ match: { endpoint }, fault: [fault] }] } });
  const agentHeader = `user-agent: ${agent}`;
  const request = (...headers: string[]) => {
    const sent = rawRequest(method, path, body, ...headers, ...(isOld ? ['connection: close'] : []));
    return sent.replace('user-agent: test', agentHeader).replace('HTTP/1.1', isOld ? 'HTTP/1.0' : 'HTTP/1.1');
  };
  const first = openWire(client.port);
  if (isKept) {
    first.write(rawRequest('GET', '/api/v3/stores').replace('user-agent: test', agentHeader));
    await first.until(isComplete);
  }
  const before = first.heard().length;
  first.write(request(...(isHeaderOnBoth && header ? [header] : [])));
  await (fault !== '503' ? first.ended : first.until((heard) => isComplete(heard.subarray(before))));
  const endedAt = performance.now();
  if (pause > 0) await sleep(pause);
  const second = openWire(client.port);
  if (between !== undefined) {
    const reader = between === agent ? second : openWire(client.port);
    reader.write(rawRequest('GET', '/api/v3/stores').replace('user-agent: test', `user-agent: ${between}`));
    await reader.until(isComplete);
  }
  const read = second.heard().length;
  second.write(request(...(header === undefined ? [] : [header])));
  await second.until((heard) => isComplete(heard.subarray(read)));
  const exchanges = [...client.sim.tenants.default.journal.exchanges()];
  // The client may have been late to see the end, too: the verdict counts from when it could.
  const overAt = exchanges.find((exchange) => exchange.fault)?.delivered?.observableAt ?? endedAt;
  if (pause === 0) notePause(Math.round((exchanges.at(-1)?.startedAt ?? 0) - Math.min(overAt, endedAt)));
  return client;
}

const java = 'Java-http-client/17.0.15';
const go = 'Go-http-client/1.1';

const unreached = { phase: 'before', respond: 'none', end: 'reset' } as const;

describe('the verdict on retries of libraries', () => {
  it.each<readonly [string, Case]>([
    ['Go on a connection it had kept', { agent: 'Go-http-client/1.1', sends: 'read', isKept: true }],
    ['OkHttp on a connection it had kept', { agent: 'okhttp/4.12.0', isKept: true }],
    ['curl on a connection it had kept', { agent: 'curl/8.0', isKept: true }],
    [
      'Apache HttpClient 5 after a second',
      { agent: 'Apache-HttpClient/5.2', sends: 'read', isKept: false, pause: 1000 },
    ],
    ['Apache HttpClient 5 after 503', { agent: 'Apache-HttpClient/5.2', isKept: false, pause: 1000, fault: '503' }],
    ['Java on a new connection', { agent: 'Java-http-client/17.0.15', sends: 'read', isKept: false, pause: 60 }],
    ['Ruby at once', { agent: 'Ruby', sends: 'read', isKept: false }],
  ])('lets %s repeat by itself', inTime, async (_, one) => {
    expect(await play(one)).toEqual([]);
  });

  it.each<readonly [string, Case]>([
    ['on a new connection', { agent: 'till/1', isKept: false }],
    ['by a library that never repeats', { agent: 'axios/1.7', isKept: true }],
    ['after a pause', { agent: 'till/1', isKept: true, pause: 300 }],
    ['with a header that the first had not', { agent: 'till/1', isKept: true, header: 'accept-encoding: gzip' }],
    ['of a POST by Apache HttpClient 5', { agent: 'Apache-HttpClient/5.2', isKept: false, pause: 1000 }],
    ['of a POST by Java', { agent: 'Java-http-client/17.0.15', isKept: false }],
    ['of a POST by Ruby', { agent: 'Ruby', isKept: false }],
  ])("takes a repeat %s for the program's own", inTime, async (_, one) => {
    expect(await play(one)).toEqual(['R6 fail']);
  });

  it.each<[string, string, string[]]>([
    ['the client', 'till/1', ['R6 fail', 'R10 fail', 'R11 fail']],
    ['another program', 'shop/1', ['R10 fail']],
  ])(
    'takes a repeat on a kept connection for that of the program if %s has read in between',
    inTime,
    async (_, between, found) => {
      const one = { agent: 'till/1', sends: 'points', isKept: true, between } as const;
      expect(await play(one)).toEqual(found);
    },
  );

  it('leaves open whether a proxy or the program repeated, as long as a busy proxy may take', async () => {
    const proxied = {
      agent: 'till/1',
      isKept: true,
      header: 'x-forwarded-for: 10.0.0.1',
      isHeaderOnBoth: true,
    } as const;
    expect(await play({ ...proxied, pause: 500 })).toEqual(['R6 inconclusive']);
  });

  it('leaves open whether Java or the program repeated a read, where no header tells', inTime, async () => {
    const unnamed = { agent: 'till/1', sends: 'read', isKept: false, pause: 60 } as const;
    expect(await play(unnamed)).toEqual(['R6 inconclusive']);
  });

  it.each([
    ['a read', 'read', ['R6 inconclusive']],
    ['a write, which nginx never repeats by itself', 'receipt', ['R6 fail']],
  ] as const)('suspects a proxy behind HTTP/1.0 that closes each connection, for %s', async (_, sends, found) => {
    expect(await play({ agent: 'till/1', sends, isKept: false, isOld: true, pause: 300 })).toEqual(found);
  });

  it.each([
    [java, 0],
    [java, 5],
    [java, 40],
    [java, 150],
    [java, 400],
    [go, 0],
    [go, 5],
    [go, 40],
    [go, 150],
    [go, 400],
    ['Ruby', 5],
    ['Ruby', 40],
    ['Python/3.11 aiohttp/3.8.4', 5],
    ['Apache-HttpClient/5.2', 5],
  ] as const)(
    'takes the repeat of a write by %s after %i ms on a kept connection for the own of the program',
    async (agent, pause) => {
      expect(await play({ agent, isKept: true, pause })).toEqual(['R6 fail']);
    },
  );

  it.each<readonly [string, Case, readonly string[]]>([
    ['points by Java', { agent: java, sends: 'points', isKept: true, pause: 5, fault: unreached }, ['R11 fail']],
    ['points by Go', { agent: go, sends: 'points', isKept: true, pause: 40, fault: unreached }, ['R11 fail']],
    ['points by Ruby', { agent: 'Ruby', sends: 'points', isKept: true, pause: 5, fault: unreached }, ['R11 fail']],
    ['points by Java, which took effect', { agent: java, sends: 'points', isKept: true }, ['R10 fail', 'R11 fail']],
    [
      'checkpoints by Java',
      { agent: java, sends: 'checkpoints', isKept: true, pause: 40, fault: { ...unreached, end: 'close' } },
      ['R11 fail'],
    ],
    // OkHttp and curl do send a POST again.
    ['points by curl', { agent: 'curl/8.0', sends: 'points', isKept: true, fault: unreached }, []],
    ['points by OkHttp', { agent: 'okhttp/4.12.0', sends: 'points', isKept: true, fault: unreached }, []],
    // Nobody knows which library that is.
    ['points by a program without a name', { agent: 'till/1', sends: 'points', isKept: true, fault: unreached }, []],
  ])('finds of the blind repeat of %s', inTime, async (_, one, found) => {
    const own = (await play(one)).filter((text) => !text.startsWith('R6'));
    expect(own.toSorted()).toEqual(found);
  });

  it.each([
    ['with an Idempotency-Key, which Go repeats', go, []],
    ['with an Idempotency-Key, which says nothing to Java', java, ['R6 fail']],
  ] as const)('judges the repeat of points %s', inTime, async (_, agent, found) => {
    const keyed = { header: 'idempotency-key: points-1', isHeaderOnBoth: true };
    expect(await play({ agent, sends: 'points', isKept: true, fault: unreached, ...keyed })).toEqual(found);
  });

  it('lets a proxy repeat the write of a library that would not', inTime, async () => {
    const proxied = { header: 'x-forwarded-for: 10.0.0.1', isHeaderOnBoth: true };
    expect(await play({ agent: go, isKept: true, ...proxied })).toEqual([]);
  });

  it.each([
    ['a library that names itself', 'curl/8.0', /by itself$/u],
    ['a library without a name', 'till/1', /by itself: a User-Agent tells which library it is$/u],
  ] as const)('advises to name the library only where %s is in doubt', inTime, async (_, agent, end) => {
    const client = await played({ agent, sends: 'read', isKept: true, pause: 400 });
    expect(await messagesOf(client)).toEqual([expect.stringMatching(end)]);
  });
});
