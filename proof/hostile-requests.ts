import { connect } from 'node:net';
import { startCommand, tidy } from '../test/support/command.ts';
import { diceFrom, pick } from '../test/support/mutations.ts';
import type { ProofRow } from './row.ts';
import { exampleCalls, sender } from './traffic.ts';
import type { Call, Dice } from './traffic.ts';

const [requests, messages, atOnce, seed] = [100_000, 20_000, 40, 20261123];

const odd: readonly unknown[] = [
  null,
  true,
  -1,
  0.1,
  1e308,
  '',
  ' ',
  'x'.repeat(3000),
  'å\u0000\u202e',
  '2026-02-30T25:61:00Z',
  '00000000-0000-0000-0000-000000000000',
  [],
  [[]],
  {},
  { $ne: null },
  { __proto__: 'x', constructor: 1, toString: 2 },
];

/** Changes one value somewhere inside a body. */
function changed(value: unknown, dice: Dice): unknown {
  if (typeof value !== 'object' || value === null || dice() < 0.2) return pick(odd, dice);
  if (Array.isArray(value)) {
    const at = Math.floor(dice() * value.length);
    return dice() < 0.2 ? [...value, ...value] : value.with(at, changed(value[at], dice));
  }
  const names = Object.keys(value);
  const name = dice() < 0.1 || names.length === 0 ? pick(['__proto__', 'unknown', 'id', ''], dice) : pick(names, dice);
  if (dice() < 0.15) return Object.fromEntries(Object.entries(value).filter(([kept]) => kept !== name));
  return { ...value, [name]: changed(Object.getOwnPropertyDescriptor(value, name)?.value, dice) };
}

const oddParts = ['%00', '%', '..', '%2e%2e%2f', '%F0%9F%98%80', '0', '-1', "'--", 'x'.repeat(500), '{id}'];

function changedPath(path: string, dice: Dice): string {
  const [before = '', query] = path.split('?');
  const parts = before.split('/');
  const at = 3 + Math.floor(dice() * Math.max(1, parts.length - 3));
  const other = dice() < 0.5 ? parts.with(Math.min(at, parts.length - 1), pick(oddParts, dice)).join('/') : before;
  const pairs = [query, `${pick(['limit', 'offset', 'contactId', 'id', 'email', 'x'], dice)}=${pick(oddParts, dice)}`];
  return `${other}?${pairs.filter(Boolean).join('&')}`;
}

function mutated(dice: Dice): Call {
  const { method, path, body } = pick(exampleCalls, dice);
  const other = dice() < 0.4 ? changedPath(path, dice) : path;
  return body === undefined ? { method, path: other } : { method, path: other, body: changed(body, dice) };
}

/** Stands for the request of somebody else that a broken message must not become. */
const smuggled = 'GET /api/v3/smuggled HTTP/1.1\r\nhost: localhost\r\n\r\n';
const post = 'POST /api/v3/contacts HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n';

const broken: readonly ((dice: Dice) => string)[] = [
  () => `${post}content-length: ${smuggled.length}\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
  () => `${post}content-length: 2\r\ncontent-length: ${smuggled.length + 2}\r\n\r\n{}${smuggled}`,
  () => `${post}transfer-encoding : chunked\r\n\r\n0\r\n\r\n${smuggled}`,
  () => `${post}transfer-encoding: xchunked\r\n\r\n0\r\n\r\n${smuggled}`,
  () => `${post}transfer-encoding: chunked\r\n\r\n2;${'x'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`,
  () => `${post}transfer-encoding: chunked\r\n\r\n-2\r\n{}\r\n0\r\n\r\n${smuggled}`,
  () => `${post}transfer-encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFF\r\n{}\r\n0\r\n\r\n${smuggled}`,
  () => `GET /api/v3/stores HTTP/1.1\r\nhost: localhost\r\nx-a: b\r\n folded\r\n\r\n`,
  () => `GET /api/v3/stores HTTP/1.1\r\nhost: localhost\r\n: empty\r\n\r\n`,
  () => `GET /api/v3/stores HTTP/1.1\nhost: localhost\n\n`,
  () => `GET  /api/v3/stores  HTTP/1.1\r\n\r\n`,
  () => `GET /api/v3/stores HTTP/9.9\r\nhost: localhost\r\n\r\n`,
  () => `GET /api/v3/stores HTTP/1.1\r\n\r\n`,
  () => `GET /api/v3/stores HTTP/1.1\r\nhost: localhost\r\nhost: evil.example\r\n\r\n`,
  () => `GET /api/v3/st\u0001ores HTTP/1.1\r\nhost: localhost\r\n\r\n`,
  () => `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n`,
  (dice) => `${post}content-length: ${Math.floor(dice() * 50) + 3}\r\n\r\n{}`,
  (dice) => String.fromCodePoint(...Array.from({ length: 200 }, () => Math.floor(dice() * 256))),
  // One byte of a request that is right is changed, lost or doubled.
  (dice) => {
    const whole = `${post}content-length: 2\r\n\r\n{}`;
    const at = Math.floor(dice() * whole.length);
    const byte = pick(['', String.fromCodePoint(Math.floor(dice() * 256)), whole.slice(at, at + 2)], dice);
    return `${whole.slice(0, at)}${byte}${whole.slice(at + 1)}`;
  },
];

const first = 'GET /api/v3/contacts/count HTTP/1.1\r\nhost: localhost\r\n\r\n';

/** Sends a message behind a request that is right, and returns all that comes back until the connection ends. */
function sendRaw(port: number, message: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let heard = '';
    socket.on('data', (data) => (heard += data.toString('latin1')));
    socket.on('error', () => {});
    socket.on('close', () => resolve(heard));
    socket.end(Buffer.from(first + message, 'latin1'));
  });
}

/** Shows that nothing that comes in makes the service fail, or respond to somebody else's request. */
export const hostileRequests: ProofRow = {
  name: 'hostile-requests',
  what: `${requests} requests of the API description with changed values, and ${messages} broken HTTP messages behind a right one (seed ${seed})`,
  asked: 'no 5xx, a response to each right request, no smuggled request served',
  page: 'docs/proof.md',
  isQuick: true,
  run: async ({ print, share }) => {
    const limits = { requests: share(requests), messages: share(messages) };
    const started = await startCommand(['--fixtures', 'default', '--log', 'silent']);
    const { send, close } = sender(started.url);
    const dice = diceFrom(seed);
    const statuses = new Map<number, number>();
    let [sent, failures, raw] = [0, 0, 0];
    const note = (what: string): void => {
      if (failures++ < 5) print(`  ${what}`);
    };
    const work = async (): Promise<void> => {
      while (sent < limits.requests) {
        sent++;
        const call = mutated(dice);
        const { status, text } = await send(call);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if (status >= 500)
          note(
            `${call.method} ${call.path} ${JSON.stringify(call.body)?.slice(0, 300)}: ${status} ${text.slice(0, 200)}`,
          );
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    print(
      `  ${[...statuses]
        .toSorted(([a], [b]) => a - b)
        .map(([status, count]) => `${count} × ${status}`)
        .join(', ')}`,
    );
    const port = Number(new URL(started.url).port);
    const breakIn = async (): Promise<void> => {
      while (raw < limits.messages) {
        raw++;
        const message = pick(broken, dice)(dice);
        const answers = (await sendRaw(port, message)).split(/(?=HTTP\/1\.1 \d{3} )/);
        if (!answers[0]?.startsWith('HTTP/1.1 200 '))
          note(`no response to the request before ${JSON.stringify(message.slice(0, 200))}`);
        if (answers.some((answer) => answer.startsWith('HTTP/1.1 5')))
          note(`a 5xx after ${JSON.stringify(message.slice(0, 200))}`);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, breakIn));
    const journal = await send({ method: 'GET', path: '/__admin/requests?path=/api/v3/smuggled' });
    const { count: served } = JSON.parse(journal.text);
    if (served > 0) note(`${served} smuggled requests were served`);
    close();
    const { code, stderr } = await started.signal('SIGTERM');
    if (code !== 0 || stderr.includes('internal error'))
      note(`the simulator ended with ${code}: ${stderr.slice(0, 300)}`);
    tidy();
    return { figure: `${failures} failures in ${sent} requests and ${raw} messages`, isReached: failures === 0 };
  },
};
