/**
 * A client that is held up may reach the end of its declared timeout before it reads a response that was there in time.
 * It closes the connection, and does what it does without a response: that is no reason to fail it.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { inTime, notePause } from '../support/in-time.ts';
import { on, openStage } from '../support/programs.ts';
import type { Send, Stage } from '../support/programs.ts';
import { addPoints, redeem, sell } from './points/business.ts';

const timeout = 400;
/** A timeout that a client which closes at once certainly did not reach, however late its own timers are. */
const long = 2000;
const declared = { 'x-sim-client': 'till-1' };

/**
 * Sends requests without ever looking at a response, each by a connection that it closes after so many ms. A response
 * that its program has not even taken from the system is `unread`: the system resets that connection.
 */
const withoutReading =
  ({ sim }: Stage, closesAfter: number, isUnread = false): Send =>
  async (method, path, body, headers) => {
    const { hostname, port, host } = new URL(sim.url ?? '');
    const socket = connect({ port: Number(port), host: hostname }).on('error', () => {});
    if (isUnread) socket.pause();
    await once(socket, 'connect');
    const text = JSON.stringify(body ?? null);
    const fields = { host, 'user-agent': 'till/1.0', ...declared, 'content-type': 'application/json', ...headers };
    const lines = Object.entries({ ...fields, 'content-length': Buffer.byteLength(text) });
    socket.write([`${method} ${path} HTTP/1.1`, ...lines.map((line) => line.join(': ')), '', text].join('\r\n'));
    await sleep(closesAfter);
    socket.destroy();
    const [sent] = [...sim.tenants.default.journal.exchanges()].slice(-1);
    await expect.poll(() => sent?.connection?.life.closedAt).toBeDefined();
    // A busy machine may close it so late that the client may have given up.
    notePause((sent?.connection?.life.closedAt ?? 0) - (sent?.startedAt ?? 0) - closesAfter);
    return undefined;
  };

const later = { respond: 'none', end: 'reset' };
const throttled = { status: 503, headers: { 'Retry-After': '5' } };

describe('the verdict on unread responses', () => {
  it.each([
    ['a redemption that got 200', [], redeem, '1s', 'R2'],
    [
      'a request to come back later',
      [on('createReceipt', throttled)],
      (send: Send) => sell(send, 'till-1'),
      '1s',
      'R6',
    ],
    [
      'the delivery of what had been given up',
      [on('addPointTransactions', later, later)],
      (send: Send) => addPoints(send, undefined, { 'idempotency-key': 'points-1' }),
      '20s',
      'R9',
    ],
  ])(
    'does not fail a client by %s, when it closed the connection as its timeout ended',
    inTime,
    async (_, rules, work, pause, rule) => {
      for (const [closesAfter, level] of [
        [long, 'inconclusive'],
        [40, 'fail'],
      ] as const) {
        const stage = await openStage('over HTTP', { rules, policy: { timeout: long, storeAndForward: { after: 2 } } });
        const given = rule === 'R9' ? 2 : 0;
        for (let i = 0; i < given; i++) await work(stage.start({ connections: 0, headers: declared }));
        await stage.wait('10m');
        for (let i = 0; i < (rule === 'R9' ? 2 : 1); i++) {
          await work(withoutReading(stage, closesAfter));
          await stage.wait(pause);
        }
        await work(stage.start({ connections: 0, headers: declared }));
        const { findings } = await stage.judge();
        expect([closesAfter, findings.filter((found) => found.startsWith(rule))]).toEqual([
          closesAfter,
          [`${rule} ${level}`],
        ]);
      }
    },
  );

  it.each([
    ['declares how long it waits', { timeout }, 150, false, 'R2 inconclusive'],
    ['does not', {}, 150, false, 'R2 fail'],
    ['does not, and had not taken the response', {}, 150, true, 'R2 inconclusive'],
    ['does not, had not taken the response, and closed it at once', {}, 30, true, 'R2 fail'],
    ['had not taken the response, but closed it at once', { timeout: 10_000 }, 40, true, 'R2 fail'],
    ['closed it at once', { timeout: 10_000 }, 40, false, 'R2 fail'],
  ])(
    'leaves open why a client closed a connection that it would have used again, when it %s',
    inTime,
    async (_, policy, closesAfter, isUnread, found) => {
      const stage = await openStage('over HTTP', { policy });
      const send = stage.start({ headers: declared });
      for (let i = 0; i < 2; i++) await send('GET', '/api/v3/stores');
      // It began to wait long before its request came.
      await redeem(withoutReading(stage, closesAfter, isUnread));
      await stage.wait('1s');
      await redeem(stage.start({ headers: declared }));
      const { findings } = await stage.judge();
      expect(findings.filter((one) => one.startsWith('R2'))).toEqual([found]);
    },
  );

  it.each([
    ['', {}],
    [', as the timeout that it declares ended', { timeout: 1500 }],
  ])(
    'takes no timeout for the reason of a client that sent again at once, and reset the connection later%s',
    inTime,
    async (_, policy) => {
      const stage = await openStage('over HTTP', { policy });
      const sentFirst = redeem(withoutReading(stage, 1500, true));
      await expect
        .poll(() => [...stage.sim.tenants.default.journal.exchanges()].at(-1)?.finishedAt, { interval: 1 })
        .toBeDefined();
      await redeem(stage.start({ connections: 0, headers: declared }));
      await sentFirst;
      const [first, next] = [...stage.sim.tenants.default.journal.exchanges()];
      await expect.poll(() => first?.connection?.life.closedAt).toBeDefined();
      // A machine that is held up for so long proves nothing.
      if ((next?.startedAt ?? 0) - (first?.startedAt ?? 0) >= 50) return;
      expect((await stage.judge()).findings).toContain('R2 fail');
    },
  );

  it('holds a client to Retry-After whose connection the response itself has ended', inTime, async () => {
    const closing = { status: 503, headers: { 'Retry-After': '5', Connection: 'close' } };
    const stage = await openStage('over HTTP', { rules: [on('createReceipt', closing)], policy: { timeout } });
    const send = stage.start({ headers: declared });
    for (let i = 0; i < 2; i++) await send('GET', '/api/v3/stores');
    await sell(withoutReading(stage, 150), 'till-1');
    await stage.wait('1s');
    await sell(stage.start({ headers: declared }), 'till-1');
    expect((await stage.judge()).findings).toEqual(['R6 fail']);
  });

  it.each([
    [400, 200, 800],
    [2000, 100, 2200],
    [2000, 500, 2600],
  ])(
    'does not fail a client whose timeout of %i ms began %i ms before its request, and that closed its connection at %i',
    inTime,
    async (given, heldUp, closesAt) => {
      const stage = await openStage('over HTTP', { policy: { timeout: given } });
      const sentFirst = sleep(heldUp).then(() => redeem(withoutReading(stage, closesAt - heldUp, true)));
      // It gives up by its own clock, and closes what it no longer waits for when it comes to that.
      await sleep(given);
      await redeem(stage.start({ connections: 0, headers: declared }));
      await sentFirst;
      const [first] = [...stage.sim.tenants.default.journal.exchanges()];
      await expect.poll(() => first?.connection?.life.closedAt).toBeDefined();
      expect((await stage.judge()).findings.filter((found) => found.startsWith('R2'))).toEqual(['R2 inconclusive']);
    },
  );

  it.each<[string, Readonly<Record<string, string>>, string[], string]>([
    ['names nothing', {}, ['R1 inconclusive'], 'nothing shows whether default-2 is the whole of it'],
    ['names its test', { 'x-sim-test-id': 'a' }, ['R1 note'], 'and sent again (default-2)'],
    ['has a key', { 'idempotency-key': 'i1' }, [], ''],
  ])('judges a request that its client cut off and sent again, if it %s', inTime, async (_, headers, found, said) => {
    const stage = await openStage('over HTTP');
    await cutOff(stage, headers);
    await addPoints(stage.start({ headers: declared }), undefined, headers);
    const { findings, text } = await stage.judge();
    expect(findings).toEqual(found);
    expect(text).toContain(said);
  });
});

/** Sends the head of a receipt and the begin of its body, and hangs up. */
async function cutOff({ sim }: Stage, headers: Readonly<Record<string, string>>): Promise<void> {
  const exchanges = () => [...sim.tenants.default.journal.exchanges()];
  const { hostname, port, host } = new URL(sim.url ?? '');
  const socket = connect({ port: Number(port), host: hostname }).on('error', () => {});
  await once(socket, 'connect');
  const fields = Object.entries({ host, ...declared, 'content-length': '400', ...headers });
  const lines = fields.map((field) => field.join(': '));
  socket.write(['POST /api/v3/point-accounts/transactions HTTP/1.1', ...lines, '', '[{'].join('\r\n'));
  await expect.poll(() => exchanges().length).toBe(1);
  socket.destroy();
  await expect.poll(() => exchanges()[0]?.finishedAt).toBeDefined();
}
