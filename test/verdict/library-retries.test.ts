/** What HTTP libraries repeat by themselves, and what is the program's own retry. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { findingsOf } from '../support/judged.ts';
import { openSimOnPort } from '../support/open-sim-on-port.ts';
import { receiptOf } from '../support/receipt.ts';
import { astrid } from '../support/people.ts';
import { isComplete, openWire, rawRequest } from '../support/wire.ts';
import { inTime } from '../support/in-time.ts';

const policy = { minBackoff: '5s', tolerance: '1ms' };
const contact = `/api/v3/contacts/${astrid}`;

interface Case {
  readonly agent: string;
  readonly method?: 'GET' | 'POST';
  /** Whether the connection that dies has served a request before. */
  readonly isKept: boolean;
  /** In ms. */
  readonly pause?: number;
  readonly fault?: '503' | { readonly phase: 'after'; readonly respond: 'none'; readonly end: 'reset' | 'close' };
  /** Sent with the second attempt only, or with both by a proxy. */
  readonly header?: string;
  readonly isProxied?: boolean;
  /** Whether requests are sent as nginx does by default. */
  readonly isOld?: boolean;
}

const dies = { phase: 'after', respond: 'none', end: 'close' } as const;

/** Plays a request that fails once and is repeated on a new connection; returns what is found. */
async function play({
  agent,
  method = 'POST',
  isKept,
  pause = 0,
  fault = dies,
  header,
  isProxied,
  isOld,
}: Case): Promise<string[]> {
  const endpoint = method === 'POST' ? 'createReceipt' : 'getContact';
  const client = await openSimOnPort({ scenario: { policy, rules: [{ match: { endpoint }, fault: [fault] }] } });
  const agentHeader = `user-agent: ${agent}`;
  const [path, body] = method === 'POST' ? ['/api/v3/receipts', receiptOf(astrid, 'till-1')] : [contact, undefined];
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
  first.write(request(...(isProxied && header ? [header] : [])));
  await (fault === dies ? first.ended : first.until((heard) => isComplete(heard.subarray(before))));
  if (pause > 0) await sleep(pause);
  const second = openWire(client.port);
  second.write(request(...(header === undefined ? [] : [header])));
  await second.until(isComplete);
  return findingsOf(client);
}

it.each<readonly [string, Case]>([
  ['Go on a connection it had kept', { agent: 'Go-http-client/1.1', method: 'GET', isKept: true }],
  ['OkHttp on a connection it had kept', { agent: 'okhttp/4.12.0', isKept: true }],
  ['curl on a connection it had kept', { agent: 'curl/8.0', isKept: true }],
  ['Apache HttpClient 5 after a second', { agent: 'Apache-HttpClient/5.2', method: 'GET', isKept: false, pause: 1000 }],
  ['Apache HttpClient 5 after 503', { agent: 'Apache-HttpClient/5.2', isKept: false, pause: 1000, fault: '503' }],
  ['Java on a new connection', { agent: 'Java-http-client/17.0.15', method: 'GET', isKept: false, pause: 60 }],
  ['Ruby at once', { agent: 'Ruby', method: 'GET', isKept: false }],
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

it('leaves open whether a proxy or the program repeated, as long as a busy proxy may take', async () => {
  const proxied = { agent: 'till/1', isKept: true, header: 'x-forwarded-for: 10.0.0.1', isProxied: true } as const;
  expect(await play({ ...proxied, pause: 500 })).toEqual(['R6 inconclusive']);
});

it('leaves open whether Java or the program repeated a read, where no header tells', inTime, async () => {
  const unnamed = { agent: 'till/1', method: 'GET', isKept: false, pause: 60 } as const;
  expect(await play(unnamed)).toEqual(['R6 inconclusive']);
});

it.each([
  ['a read', 'GET', ['R6 inconclusive']],
  ['a write, which nginx never repeats by itself', 'POST', ['R6 fail']],
] as const)('suspects a proxy behind HTTP/1.0 that closes each connection, for %s', async (_, method, found) => {
  expect(await play({ agent: 'till/1', method, isKept: false, isOld: true, pause: 300 })).toEqual(found);
});
