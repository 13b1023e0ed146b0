/** Tills of one program, that share its connections: what one does says nothing of the other. */
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { advance, findingsOf } from '../support/judged.ts';
import { receiptOf } from '../support/receipt.ts';
import { astrid } from '../support/people.ts';
import { openFailingSim } from '../support/open-sim.ts';
import { inTime } from '../support/in-time.ts';

async function lineTo(url: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}

/** Sends a receipt; answers what comes back. */
async function send(socket: Socket, key: string): Promise<unknown> {
  const body = JSON.stringify(receiptOf(astrid, key));
  const head = `POST /api/v3/receipts HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n`;
  socket.write(`${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  return once(socket, 'data');
}

describe('the verdict on two tills', () => {
  it('lets each have a queue of its own', inTime, async () => {
    const client = await openFailingSim({ createReceipt: [504, 504, 504, 504] }, { storeAndForward: { after: '10s' } });
    onTestFinished(() => client.sim.close());
    const { url } = await client.sim.listen();
    const [left, right] = [await lineTo(url), await lineTo(url)];
    for (let i = 0; i < 2; i++) await Promise.all([send(left, 'till-1'), send(right, 'till-2')]);
    await advance(client, '1m');
    await send(left, 'till-2');
    await send(right, 'till-1');
    expect(await findingsOf(client)).toEqual(['R9 note']);
  });
});
