/** What is not repeated yet when the verdict is asked for, while the client may still wait. */
import { describe, expect, it } from 'vitest';
import type { Verdict } from '../../src/verdict/verdict.ts';
import type { Client } from '../support/client.ts';
import { advance, sendReceipt } from '../support/judged.ts';
import { openFailingSim } from '../support/open-sim.ts';
import { astrid } from '../support/people.ts';

const read = ({ get }: Client): Promise<unknown> => get(`/api/v3/contacts/${astrid}`);

async function judge({ get }: Client, query = ''): Promise<string[]> {
  const verdict: Verdict = (await get(`/__admin/verdict${query}`)).body;
  return verdict.operations.flatMap(({ findings }) =>
    findings.filter(({ level }) => level !== 'note').map(({ rule, level, message }) => `${rule} ${level}: ${message}`),
  );
}

const never = 'POST /api/v3/receipts got status 504 and was never repeated';
const givenUp = 'POST /api/v3/receipts was given up after 3 attempts and never delivered, though the service recovered';
const ending = 'judge again after that, or say that the client has ended';

describe('the verdict during a pause', () => {
  it('leaves open a write that may still wait in a declared pause, until that has passed', async () => {
    const client = await openFailingSim({ createReceipt: [504] }, { minBackoff: ['10s', '40s'] });
    await sendReceipt(client, 'till-1');
    expect(await judge(client)).toEqual([
      expect.stringMatching(
        `^R1 inconclusive: ${never}; but that was \\S+ m?s ago, and the client may still be waiting: its longest pause is 40.0 s \\(declared\\); ${ending}$`,
      ),
    ]);
    await advance(client, '50s');
    expect(await judge(client)).toEqual([`R1 fail: ${never}`]);
  });

  it('leaves open a read as well, but not for the time of a declared fallback', async () => {
    const policy = { minBackoff: '30s', storeAndForward: { after: '1h' } };
    const client = await openFailingSim({ getContact: [504] }, policy);
    await read(client);
    expect(await judge(client)).toEqual([expect.stringMatching(/^R1 inconclusive: .* its longest pause is 30.0 s/u)]);
    await advance(client, '31s');
    expect(await judge(client)).toEqual([expect.stringMatching(/^R1 fail/u)]);
  });

  it('learns the longest pause from other operations of the client', async () => {
    const client = await openFailingSim({ getContact: [504], createReceipt: [504] });
    await read(client);
    await advance(client, '30s');
    await read(client);
    await sendReceipt(client, 'till-1');
    expect(await judge(client)).toEqual([
      expect.stringMatching(/its longest pause is 30.0 s \(seen before default-2\)/u),
    ]);
    await advance(client, '31s');
    expect(await judge(client)).toEqual([`R1 fail: ${never}`]);
  });

  it('learns nothing from the pauses of another client', async () => {
    const client = await openFailingSim({ getContact: [504], createReceipt: [504] });
    const headers = { 'x-sim-client': 'other' };
    await client.call('GET', `/api/v3/contacts/${astrid}`, { headers });
    await advance(client, '30s');
    await client.call('GET', `/api/v3/contacts/${astrid}`, { headers });
    await sendReceipt(client, 'till-1');
    expect(await judge(client)).toEqual([`R1 fail: ${never}`]);
  });

  it('expects the next pause of a growing backoff to grow as well', async () => {
    const client = await openFailingSim({ createReceipt: [504, 504, 504] });
    for (const pause of ['10s', '20s', '30s']) {
      await sendReceipt(client, 'till-1');
      await advance(client, pause);
    }
    expect(await judge(client)).toEqual([
      expect.stringMatching(
        `^R9 inconclusive: ${givenUp}; but .* its longest pause is 40.0 s \\(as its pauses grow\\)`,
      ),
    ]);
    await advance(client, '20s');
    expect(await judge(client)).toEqual([`R9 fail: ${givenUp}`]);
  });

  it('waits for nothing when the client has ended, but for a queue that it declares', async () => {
    const client = await openFailingSim({ createReceipt: [504] }, { minBackoff: '10s' });
    await sendReceipt(client, 'till-1');
    expect(await judge(client, '?clientEnded=true')).toEqual([`R1 fail: ${never}`]);
    const queueing = await openFailingSim({ createReceipt: [504] }, { storeAndForward: { after: '1h' } });
    await sendReceipt(queueing, 'till-1');
    expect(await judge(queueing, '?clientEnded=true')).toEqual([
      `R1 inconclusive: ${never}; but its fallback is not due yet (declared: 3600.0 s)`,
    ]);
  });

  it('lets test code say that the client has ended', async () => {
    const client = await openFailingSim({ createReceipt: [504] }, { minBackoff: '10s' });
    await sendReceipt(client, 'till-1');
    expect((await client.sim.verdict()).verdict).toBe('INCONCLUSIVE');
    expect((await client.sim.verdict({ clientEnded: true })).verdict).toBe('FAIL');
  });
});
