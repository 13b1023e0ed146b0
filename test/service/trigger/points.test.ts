import { describe, expect, it } from 'vitest';
import { triggerEvents } from '../../../src/service/trigger-names.ts';
import { accountsOf, held, kinds, movesOf, trigger } from '../../support/points.ts';
import { astrid } from '../../support/people.ts';
import { openPointsSim, openPointShopSim } from '../../support/open-sim.ts';

const adjust = { event: 'adjustPoints', contactId: astrid, definitionId: kinds.kept, amount: 25, description: 'Sorry' };

describe('POST /__admin/trigger', () => {
  it('adjusts points by hand unless told otherwise, and tells what that did', async () => {
    const client = await openPointsSim();
    const { status, body } = await trigger(client, { ...adjust, amount: -25 });
    expect([status, body.event, body.warnings]).toEqual([200, 'adjustPoints', []]);
    expect(body.effects.map(({ table, change }: Record<string, string>) => [table, change])).toEqual([
      ['pointAccounts', 'created'],
      ['pointTransactions', 'created'],
    ]);
    expect([await held(client), await movesOf(client)]).toEqual([[-25, 0], [[-25, 'Deduction', 'Sorry']]]);
  });

  it('ignores a validFrom: what is adjusted is active at once', async () => {
    const client = await openPointsSim();
    await client.post('/__admin/trigger', { ...adjust, validFrom: '2027-01-01T00:00:00Z' });
    const { items } = (await client.get(`/api/v3/point-accounts?contactId=${astrid}`)).body;
    const account = items.find(({ definitionId }: { definitionId: number }) => definitionId === kinds.kept);
    expect([account.balance, account.pendingPoints]).toEqual([25, 0]);
  });

  it('converts the points that reach the threshold', async () => {
    const client = await openPointShopSim({ fixtures: 'test/support/points-over.json' });
    const convert = { event: 'convertPoints', contactId: astrid, definitionId: 1 };
    const { body } = await trigger(client, convert);
    expect(body.effects.filter(({ table }: { table: string }) => table === 'rewardVouchers')).toHaveLength(2);
    expect(await held(client)).toEqual([50, 0]);
    const again = await trigger(client, convert);
    expect([again.status, again.body.errorCode]).toEqual([409, 'Conflict']);
    expect(again.body.message).toContain('the balance is 50 and a voucher costs 100');
  });

  it('assigns promotions', async () => {
    const client = await openPointShopSim();
    const promotionId = '9b1d0c00-0001-4000-8000-000000000001';
    await trigger(client, { event: 'assignPromotion', contactId: astrid, promotionId });
    expect((await client.get(`/api/v3/promotion-assignments?contactId=${astrid}`)).body).toHaveLength(2);
  });

  it('works on the tenant that it names', async () => {
    const client = await openPointsSim();
    await client.post('/__admin/trigger?tenant=other', adjust);
    expect(await accountsOf(client)).toEqual([]);
    expect((await client.get(`/t/other/api/v3/point-accounts?contactId=${astrid}`)).body.totalCount).toBe(1);
  });

  it.each([
    [{ ...adjust, contactId: 'x' }, 404, 'ContactNotFound'],
    [{ ...adjust, definitionId: 99 }, 404, 'PointDefinitionNotFound'],
    [{ ...adjust, amount: undefined }, 400, 'ValidationError'],
    [{ ...adjust, by: 'magic' }, 400, 'ValidationError'],
    [{ ...adjust, amout: 1 }, 400, 'ValidationError'],
    [{ event: 'adjustPoint' }, 400, 'ValidationError'],
  ])('refuses %j with %i %s', async (event, status, code) => {
    const refused = await trigger(await openPointsSim(), event);
    expect([refused.status, refused.body.errorCode]).toEqual([status, code]);
  });

  it.each([
    [
      { event: 'adjustPoint' },
      `there is no event "adjustPoint"; did you mean "adjustPoints"? (${triggerEvents.join(', ')})`,
    ],
    [{ amount: 1 }, 'is required: one of adjustPoints, '],
  ])('says which events there are to %j', async (event, message) => {
    const { body } = await trigger(await openPointsSim(), event);
    expect(body.validationErrors).toEqual([{ field: 'event', errorDescription: expect.stringContaining(message) }]);
  });

  it('names each field that an event does not have', async () => {
    const { body } = await trigger(await openPointsSim(), { ...adjust, promotionId: 'p', foo: 1 });
    const errorDescription = expect.stringContaining('is not a field here; there are event, contactId');
    expect(body.validationErrors).toEqual(['promotionId', 'foo'].map((field) => ({ field, errorDescription })));
  });
});
