/** The rows of a bulk say the same in any order. */
import { describe, expect, it } from 'vitest';
import { findingsOf, messagesOf, times } from '../support/judged.ts';
import type { Client } from '../support/client.ts';
import { astrid } from '../support/people.ts';
import { openFailingSim } from '../support/open-sim.ts';

const pointRow = { contactId: astrid, definitionId: 1, source: 'Adjustment', description: 'x' };
const [five, six] = [5, 6].map((amount) => ({ ...pointRow, amount }));
const block = { contactId: astrid, definitionId: '9b1d0c00-cccc-4000-8000-000000000001' };
const blocks = [1, 2].map((checkpointAmount) => ({ ...block, checkpointAmount }));
const newcomers = ['Ella', 'Elof'].map((firstName) => ({
  email: `${firstName}@example.com`,
  firstName,
  lastName: 'Ek',
}));
const balances = [1, 2].map((amount) => ({ contactId: astrid, definitionId: amount, amount }));

const points = '/api/v3/point-accounts/transactions';

const send = ({ call }: Client, path: string, body: unknown, headers = {}) =>
  times(1, () => call('POST', path, { body, headers }));

describe('the verdict on bulks', () => {
  it.each([
    ['addPointTransactions', points, [five, six]],
    ['awardCheckpoints', '/api/v3/challenges/checkpoints', blocks],
    ['createContacts', '/api/v3/contacts/bulk', newcomers],
    ['setPointBalances', '/api/v3/point-accounts/balances', balances],
  ])('takes %s with its rows in another order for another attempt', async (endpoint, path, rows) => {
    const client = await openFailingSim({ [endpoint]: [504] }, undefined, { mode: 'point-follower' });
    await send(client, path, rows);
    await send(client, path, rows.toReversed());
    expect((await findingsOf(client)).filter((found) => !found.startsWith('R11'))).toEqual([]);
  });

  it.each([
    ['in another order', [six, five], []],
    ['of which one is twice', [six, five, five], ['R4 fail']],
  ])('finds of a bulk that is sent again under its key with rows %s: %j', async (_, rows, found) => {
    const client = await openFailingSim({ addPointTransactions: ['lost'] });
    const headers = { 'idempotency-key': 'bonus-1' };
    await send(client, points, [five, six], headers);
    await send(client, points, rows, headers);
    expect(await findingsOf(client)).toEqual(found);
  });

  it('names the field of the row that is another', async () => {
    const client = await openFailingSim({ addPointTransactions: ['lost'] });
    const headers = { 'idempotency-key': 'bonus-1' };
    await send(client, points, [five, six], headers);
    await send(client, points, [{ ...six, amount: 7 }, five], headers);
    expect(await messagesOf(client)).toEqual([`R4: POST ${points} was repeated with another [0].amount`]);
  });

  it('tells what took effect twice though the rows stood in another order', async () => {
    const client = await openFailingSim({ addPointTransactions: ['lost'] });
    await send(client, points, [five, six]);
    await send(client, points, [six, five]);
    expect(await findingsOf(client)).toEqual(['R10 fail', 'R11 fail']);
  });

  it('finds what was refused and sent again with nothing but its rows in another order', async () => {
    const client = await openFailingSim({ addPointTransactions: [400] });
    await send(client, points, [five, six]);
    await send(client, points, [six, five]);
    expect(await findingsOf(client)).toEqual(['R3 fail']);
  });
});
