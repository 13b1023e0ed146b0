/** A client that opens a connection for each request: whose events the simulator sees first, is chance and decides nothing. */
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { monotonicNow } from '../../src/core/time/clock.ts';
import { detectionLag } from '../../src/verdict/history/attempt.ts';
import { inTime, notePause } from '../support/in-time.ts';
import { astrid } from '../support/people.ts';
import { lost, on, openStage } from '../support/programs.ts';
import type { Judged, Send } from '../support/programs.ts';
import { receiptOf } from '../support/receipt.ts';

const pass = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {});
  await new Promise((resolve) => socket.once('connect', resolve));
  return socket;
}

const body = JSON.stringify(receiptOf(astrid, 'k1'));
const message = [
  'POST /api/v3/receipts HTTP/1.1',
  'host: localhost',
  'user-agent: till/1.0',
  'x-sim-client: till-7',
  'content-type: application/json',
  `content-length: ${Buffer.byteLength(body)}`,
  '',
  body,
].join('\r\n');

async function exchange(socket: Socket, text: string): Promise<void> {
  const response = new Promise((resolve) => socket.once('data', resolve));
  socket.write(text);
  await response;
}

const sell = (socket: Socket): Promise<void> => exchange(socket, message);
const look = (socket: Socket): Promise<void> =>
  exchange(socket, 'GET /consents HTTP/1.1\r\nhost: localhost\r\nuser-agent: till/1.0\r\nx-sim-client: till-7\r\n\r\n');

/** Closes a connection, and waits until the simulator has seen that: only then it closes its own side. */
async function close(socket: Socket): Promise<void> {
  const isClosed = new Promise((resolve) => socket.once('close', resolve));
  socket.end();
  await isClosed;
}

/** Sends a receipt, and again by another connection; says when the first one is closed. */
async function judgeRepeat(
  play: (first: Socket, openNext: () => Promise<Socket>) => Promise<unknown>,
): Promise<Judged> {
  const { sim, judge } = await openStage('in process');
  const port = Number(new URL((await sim.listen()).url).port);
  const first = await open(port);
  await sell(first);
  await play(first, () => open(port));
  return judge();
}

type Play = (send: Send, start: number) => Promise<unknown>;

const redeemOnce: Play = (send) =>
  send('POST', '/api/v3/promotions/codes/9b1d0c00-aaaa-4000-8000-000000000001/redeem', {});
const redeemTwiceAtFirst: Play = async (send, start) => {
  await redeemOnce(send, start);
  if (start === 0) await redeemOnce(send, start);
};
const sellOnce: Play = (send) => send('POST', '/api/v3/receipts', receiptOf(astrid, 'k1'));
const declared = { headers: { 'x-sim-client': 'till-7' } };

/** Does the same several times, each time by a program that was started again after it had read the consents. */
async function doneAgain(program: Play, starts: number, rules: Parameters<typeof on>[1][] = []): Promise<string[]> {
  const stage = await openStage('over HTTP', { rules: rules.map((fault) => on('redeemPromotion', fault)) });
  for (let i = 0; i < starts; i++) {
    const send = stage.start(declared);
    await send('GET', '/consents');
    await program(send, i);
    await send.kill();
    await pass(120);
  }
  return [...(await stage.judge()).findings];
}

describe('the verdict on closed connections', () => {
  it.each<[string, Parameters<typeof judgeRepeat>[0]]>([
    [
      'before the next one is opened',
      async (first, openNext) => {
        await close(first);
        await sell(await openNext());
      },
    ],
    [
      'at once',
      async (first, openNext) => {
        const closed = close(first);
        await sell(await openNext());
        await closed;
      },
    ],
    [
      'and its end is seen after the begin of the next one',
      async (first, openNext) => {
        const next = await openNext();
        await pass(5);
        await close(first);
        await sell(next);
      },
    ],
    [
      'and its end is seen after the next request',
      async (first, openNext) => {
        const next = await openNext();
        await sell(next);
        await close(first);
      },
    ],
  ])('notes a key that is sent again by a new connection when the old one is closed %s', inTime, async (_, play) => {
    const { verdict, findings } = await judgeRepeat(play);
    expect([verdict, ...findings]).toEqual(['PASS', 'R2 note']);
  });

  it(
    'notes a late delivery that is sent again when the end of its connection is seen after the next request',
    inTime,
    async () => {
      const { sim, judge } = await openStage('in process', { rules: [on('createReceipt', 503)] });
      const port = Number(new URL((await sim.listen()).url).port);
      const first = await open(port);
      await sell(first);
      await sim.clock.advance('10m');
      await sell(first);
      const from = monotonicNow();
      const next = await open(port);
      await sell(next);
      await close(first);
      const pause = monotonicNow() - from;
      // Only then is the verdict another one.
      if (pause > detectionLag) notePause(pause);
      const { verdict, findings } = await judge();
      expect([verdict, ...findings]).toEqual(['PASS', 'R2 note', 'R9 note']);
    },
  );

  it.each<[string, Parameters<typeof judgeRepeat>[0]]>([
    ['stays open', async (_, openNext) => sell(await openNext())],
    [
      'is closed long after',
      async (first, openNext) => {
        await sell(await openNext());
        // Longer than a busy machine stands still in that time.
        await pass(2000);
        await close(first);
      },
    ],
    [
      'carries another request after it, and is closed at once',
      async (first, openNext) => {
        await sell(await openNext());
        await look(first);
        await close(first);
      },
    ],
    [
      'carries it too, and is closed at once',
      async (first) => {
        await sell(first);
        await close(first);
      },
    ],
  ])('fails a key that is sent again when the old connection %s', inTime, async (_, play) => {
    const { failedBy } = await judgeRepeat(play);
    expect(failedBy).toEqual(['R2']);
  });

  it.each<[string, Play, number, Parameters<typeof on>[1][], string[]]>([
    ['a redemption', redeemOnce, 2, [], ['R2 note']],
    [
      'a redemption whose response was lost, and then "already redeemed"',
      redeemTwiceAtFirst,
      2,
      [lost],
      ['R2 inconclusive'],
    ],
    ['a receipt, twice over', sellOnce, 3, [], ['R2 note']],
  ])(
    'does not fail %s that comes again when the program was started again',
    inTime,
    async (_, program, starts, rules, found) => {
      expect(await doneAgain(program, starts, rules)).toEqual(found);
    },
  );
});
