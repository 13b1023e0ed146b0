/** What a client loses that gives up after 429, 502 or 503. */
import { describe, expect, it } from 'vitest';
import type { Verdict } from '../../src/verdict/verdict.ts';
import type { Client } from '../support/client.ts';
import { advance, findingsOf, messagesOf, sendReceipt, times } from '../support/judged.ts';
import { openFailingSim, openSim } from '../support/open-sim.ts';
import { astrid } from '../support/people.ts';

const move = ({ patch }: Client, city: string): Promise<unknown> => patch(`/api/v3/contacts/${astrid}`, { city });

describe('the verdict on a client that gives up', () => {
  it.each([429, 502, 503])(
    'fails a receipt that got %i and is never delivered, for want of a fallback',
    async (status) => {
      const client = await openFailingSim({ createReceipt: [status] });
      await sendReceipt(client, 'till-1');
      expect(await messagesOf(client)).toEqual([
        `R9: POST /api/v3/receipts got status ${status} and was never delivered, though the service recovered: ` +
          'there is no local fallback, unless a person was notified (then declare giveUp: note)',
      ]);
    },
  );

  it('notes it where the policy says that a person is notified', async () => {
    const client = await openFailingSim({ createReceipt: [503] }, { giveUp: 'note' });
    await sendReceipt(client, 'till-1');
    expect(await messagesOf(client)).toEqual([
      'R9: POST /api/v3/receipts got status 503 and was never delivered (policy giveUp: note)',
    ]);
    expect((await client.sim.verdict()).verdict).toBe('PASS');
  });

  it('does not excuse by the policy what the specification has retried', async () => {
    const client = await openFailingSim({ createReceipt: [504] }, { giveUp: 'note' });
    await sendReceipt(client, 'till-1');
    expect(await findingsOf(client)).toEqual(['R1 fail']);
  });

  it('leaves it open while the service is down', async () => {
    const rule = { match: { endpoint: 'createReceipt' }, fault: 503 as const };
    const client = await openSim({ scenario: { rules: [rule] } });
    await sendReceipt(client, 'till-1');
    expect(await findingsOf(client)).toEqual(['R9 inconclusive']);
  });

  it('leaves it open until a pause that the response requested is over', async () => {
    const rule = { match: { endpoint: 'createReceipt' }, fault: [{ status: 429, headers: { 'retry-after': '30' } }] };
    const client = await openSim({ scenario: { rules: [rule] } });
    await sendReceipt(client, 'till-1');
    const verdict: Verdict = (await client.get('/__admin/verdict')).body;
    expect(verdict.reason).toContain('its longest pause is 30.0 s (requested by Retry-After)');
    await advance(client, '31s');
    expect(await findingsOf(client)).toEqual(['R9 fail']);
  });

  it('leaves open whether a receipt under another key was sent in its place', async () => {
    const client = await openFailingSim({ createReceipt: [503] });
    for (const key of ['till-1', 'till-2']) await sendReceipt(client, key);
    expect(await messagesOf(client)).toEqual([expect.stringContaining('; unless default-2 was sent in its place')]);
    expect(await findingsOf(client)).toEqual(['R9 inconclusive']);
  });

  it.each<[what: string, numbers: readonly (string | undefined)[]]>([
    ['its key', ['100-20391', '100-20392']],
    ['the number of its key', ['20391', '20392']],
    ['more than its key', ['7-100-20391', '7-100-20392']],
    ['not there', [undefined, undefined]],
  ])('leaves that open where the number of the receipt is %s', async (_, numbers) => {
    const client = await openFailingSim({ createReceipt: [503] });
    for (const [i, key] of ['100-20391', '100-20392'].entries())
      await sendReceipt(client, key, { receiptNumber: numbers[i] });
    expect(await findingsOf(client)).toEqual(['R9 inconclusive']);
  });

  it('asks for no change that a later one has replaced', async () => {
    const client = await openFailingSim({ updateContact: [503] });
    for (const city of ['Boden', 'Lund']) await move(client, city);
    expect(await findingsOf(client)).toEqual([]);
  });

  it('asks for no receipt that was given up after several attempts, and found to be there', async () => {
    const client = await openFailingSim({ createReceipt: ['lost', 'lost'] });
    await times(2, () => sendReceipt(client, 'till-1'));
    await client.get(`/api/v3/transactions?contactId=${astrid}`);
    expect(await findingsOf(client)).toEqual([]);
  });

  it('leaves open what was given up when the journal has dropped older requests', async () => {
    const client = await openFailingSim({ createReceipt: [503, 503] }, undefined, { journalBytes: 6000 });
    for (const key of ['till-1', 'till-2']) await sendReceipt(client, key, { receiptNumber: key.repeat(150) });
    const [message] = await messagesOf(client);
    expect(message).toContain('(then declare giveUp: note); but the journal has dropped older requests');
  });
});
