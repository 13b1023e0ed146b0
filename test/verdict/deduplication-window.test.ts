/** How long equal content without a key counts as one operation after a response: by the clock of the simulator, and by real time. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import { addPoints, advance, findingsOf, sendReceipt } from '../support/judged.ts';
import { openSim } from '../support/open-sim.ts';

const open = (deduplicationWindow: string): Promise<Client> =>
  openSim({ scenario: { policy: { deduplicationWindow } } });

const resume = ({ post }: Client): Promise<unknown> => post('/__admin/clock', { resume: true });

describe('a deduplication window', () => {
  it.each([
    ['70 s', async (client: Client) => advance(client, '70s')],
    ['120 s', async (client: Client) => advance(client, '120s')],
    ['1 h', async (client: Client) => advance(client, '1h')],
    [
      '1 h, while the clock runs',
      async (client: Client) => {
        await resume(client);
        await advance(client, '1h');
      },
    ],
    [
      '1 h, with other work in between',
      async (client: Client) => {
        await client.get('/api/v3/consents');
        await sendReceipt(client, 'other');
        await advance(client, '1h');
      },
    ],
  ])('takes points that are equal after %s, in a window of 1 m, for other points', async (_, pause) => {
    const client = await open('1m');
    await addPoints(client);
    await pause(client);
    await addPoints(client);
    expect(await findingsOf(client)).toEqual([]);
  });

  it('takes points that are equal after a real pause longer than the window for other points', async () => {
    const client = await open('300ms');
    await addPoints(client);
    await sleep(400);
    await addPoints(client);
    expect(await findingsOf(client)).toEqual([]);
  });

  it.each([
    ['at once', async () => {}],
    ['after 50 s', async (client: Client) => advance(client, '50s')],
    [
      'after 50 s, while the clock runs',
      async (client: Client) => {
        await resume(client);
        await advance(client, '50s');
      },
    ],
  ])('takes points that are equal %s, in a window of 1 m, for the same points', async (_, pause) => {
    const client = await open('1m');
    await addPoints(client);
    await pause(client);
    await addPoints(client);
    expect(await findingsOf(client)).toEqual(['R2 fail', 'R10 fail']);
  });
});
