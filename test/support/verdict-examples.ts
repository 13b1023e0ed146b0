/** Plays a client's mistake for each rule, as docs/verdict.md shows it. */
import { Agent, request } from 'node:http';
import { onTestFinished } from 'vitest';
import type { Client } from './client.ts';
import { addPoints, advance, pointsRow, sendReceipt, times } from './judged.ts';
import { astrid, bo } from './people.ts';
import { receiptOf } from './receipt.ts';
import { openFailingSim } from './open-sim.ts';

const path = `/api/v3/contacts/${astrid}`;

/** No hiccup of a busy machine leaves these in doubt. */
const patient = { tolerance: 600_000 };

/** Sends a receipt, and again after each of these pauses on the simulator's clock. */
async function tryWithPauses(client: Client, pauses: readonly string[], key = 'till-1'): Promise<void> {
  await sendReceipt(client, key);
  for (const pause of pauses) {
    await advance(client, pause);
    await sendReceipt(client, key);
  }
}

const failing = (count: number) => ({ createReceipt: Array<number>(count).fill(504) });

/** Lets a till send these bodies in turn, each after it was started again; the last connection serves a read too. */
async function postOverRestarts(client: Client, target: string, bodies: readonly unknown[]): Promise<void> {
  const { url } = await client.sim.listen();
  onTestFinished(() => client.sim.close());
  const headers = { 'content-type': 'application/json', 'user-agent': 'till', 'x-sim-client': 'till-7' };
  const send = (agent: Agent, method: string, to: string, body?: unknown): Promise<unknown> =>
    new Promise((resolve) => {
      const sent = request(`${url}${to}`, { method, agent, headers }, (response) =>
        response.resume().on('end', resolve),
      );
      sent.on('error', resolve).end(body && JSON.stringify(body));
    });
  for (const [i, body] of bodies.entries()) {
    const agent = new Agent({ keepAlive: true });
    await send(agent, 'POST', target, body);
    if (i === bodies.length - 1) await send(agent, 'GET', '/consents');
    agent.destroy();
  }
}

/** Each ends when the client has done what it does. */
export const mistakes: Readonly<Record<string, () => Promise<Client>>> = {
  R1: async () => {
    const client = await openFailingSim({ createReceipt: ['lost'] });
    await times(1, () => sendReceipt(client, 'till-1'));
    return client;
  },
  R2: async () => {
    const client = await openFailingSim({ createReceipt: [504] });
    await times(3, () => sendReceipt(client, 'till-1'));
    return client;
  },
  R3: async () => {
    const client = await openFailingSim({});
    await times(2, () => client.patch(path, { email: 'not an address' }));
    return client;
  },
  R4: async () => {
    const client = await openFailingSim({ createReceipt: [504] });
    await times(2, (i) => sendReceipt(client, 'till-1', { createdDate: `2026-03-01T11:00:0${i}Z` }));
    return client;
  },
  R5: async () => {
    const client = await openFailingSim({ createReceipt: ['lost'] });
    await times(2, (i) => sendReceipt(client, `till-${i + 1}`));
    return client;
  },
  R6: async () => {
    const client = await openFailingSim(failing(2), { minBackoff: ['2s', '60s'] });
    await tryWithPauses(client, ['2s', '3s']);
    return client;
  },
  R7: async () => {
    const client = await openFailingSim(failing(3), { maxAttempts: 3 });
    await tryWithPauses(client, ['2s', '4s', '8s']);
    return client;
  },
  R8: async () => {
    const client = await openFailingSim({}, patient);
    await Promise.all([sendReceipt(client, 'till-1'), sendReceipt(client, 'till-1')]);
    return client;
  },
  R9: async () => {
    const client = await openFailingSim(failing(4), { storeAndForward: { after: '1m' } });
    const till = { 'x-sim-client': 'till-7' };
    for (const key of ['till-1', 'till-2'])
      for (const pause of ['2s', '8s']) {
        await sendReceipt(client, key, {}, till);
        await advance(client, pause);
      }
    await advance(client, '10m');
    for (const key of ['till-2', 'till-1']) await sendReceipt(client, key, {}, till);
    return client;
  },
  R10: async () => {
    const client = await openFailingSim({ addPointTransactions: ['lost'] });
    await times(2, () => addPoints(client));
    return client;
  },
  R11: async () => {
    const client = await openFailingSim({ addPointTransactions: [504] });
    await times(2, () => addPoints(client));
    return client;
  },
  R12: async () => {
    const client = await openFailingSim(failing(12), patient);
    await times(12, (i) => sendReceipt(client, `till-${i + 1}`));
    await Promise.all(Array.from({ length: 12 }, (_, i) => sendReceipt(client, `till-${i + 1}`)));
    return client;
  },
  R13: async () => {
    const client = await openFailingSim({ createReceipt: [504] });
    await postOverRestarts(client, '/api/v3/receipts', [receiptOf(astrid, 'sale-1'), receiptOf(bo, 'sale-2')]);
    return client;
  },
  R16: async () => {
    const client = await openFailingSim({ updateContact: [504] });
    for (const street of ['Old street 1', 'New street 2', 'Old street 1']) {
      await client.patch(path, { street });
      await advance(client, '2s');
    }
    return client;
  },
  R14: async () => {
    const client = await openFailingSim({});
    await postOverRestarts(client, '/api/v3/point-accounts/transactions', [[pointsRow], [pointsRow]]);
    return client;
  },
  R15: async () => {
    const client = await openFailingSim({ getContactId: [503] });
    // In the web shop she is a contact of another type.
    await client.post('/api/v3/contacts', { email: 'ella.ek@example.com', contactType: 'Contact' });
    await client.get('/api/v3/contacts/id?email=ella.ek@example.com');
    await client.post('/api/v3/contacts', { email: 'ella.ek@example.com', contactType: 'Member' });
    return client;
  },
};
