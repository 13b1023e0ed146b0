/** A read counts as a look at a write only if it names what the write was about, could show it, and is the caller's own. */
import { describe, expect, it } from 'vitest';
import { astrid, bo, nils } from '../../support/people.ts';
import { lost, on, openStage, ways } from '../../support/programs.ts';
import {
  accounts,
  addPoints,
  award,
  challenges,
  coupons,
  createContact,
  emailOf,
  lookUp,
  person,
  purchases,
  reviews,
  row,
  sell,
  writes,
} from './business.ts';
import { inTime } from '../../support/in-time.ts';

describe.each(ways)('%s, the verdict', inTime, (way) => {
  describe.each(writes)('on $what whose response was lost', ({ endpoint, write, look, otherLook }) => {
    it('passes a client that looks and sees it', async () => {
      const { send, judge } = await openStage(way, { rules: [on(endpoint, lost)] });
      await write(send);
      await look(send);
      expect(await judge()).toMatchObject({ verdict: 'PASS', findings: [] });
    });

    it('fails a client that does nothing more', async () => {
      const { send, judge } = await openStage(way, { rules: [on(endpoint, lost)] });
      await write(send);
      expect(await judge()).toMatchObject({ verdict: 'FAIL', failedBy: ['R1'] });
    });

    it('fails a client that only goes on with the next customer', async () => {
      const { send, judge } = await openStage(way, { rules: [on(endpoint, lost)] });
      await write(send);
      await otherLook(send);
      expect(await judge()).toMatchObject({ verdict: 'FAIL', failedBy: ['R1'] });
    });

    it('leaves open whether another program that reads the customer took the write over', async () => {
      const { send, start, judge } = await openStage(way, { rules: [on(endpoint, lost)] });
      await write(send);
      await look(start({ agent: 'back-office/3.1' }));
      expect(await judge()).toMatchObject({ verdict: 'INCONCLUSIVE' });
    });

    it('passes a client that looks after it has gone on with the next customer', async () => {
      const { send, judge } = await openStage(way, { rules: [on(endpoint, lost)] });
      await write(send);
      await otherLook(send);
      await look(send);
      expect(await judge()).toMatchObject({ verdict: 'PASS', findings: [] });
    });
  });

  it('fails a client that repeats points blindly after it has read another customer', async () => {
    const { send, wait, judge } = await openStage(way, { rules: [on('addPointTransactions', 504)] });
    await addPoints(send);
    await accounts(send, bo);
    await wait('2s');
    await addPoints(send);
    expect(await judge()).toMatchObject({ verdict: 'FAIL', failedBy: ['R11'] });
  });

  it('fails a client that repeats a checkpoint blindly after it has read another customer', async () => {
    const { send, wait, judge } = await openStage(way, { rules: [on('awardCheckpoints', 504)] });
    await award(send);
    await challenges(send, bo);
    await wait('2s');
    await award(send);
    expect(await judge()).toMatchObject({ verdict: 'FAIL', failedBy: ['R11'] });
  });

  it('fails a client that adds points twice after it has read another customer', async () => {
    const { send, wait, judge } = await openStage(way, { rules: [on('addPointTransactions', lost)] });
    await addPoints(send);
    await accounts(send, bo);
    await wait('2s');
    await addPoints(send);
    const { verdict, failedBy } = await judge();
    expect(verdict).toBe('FAIL');
    expect(failedBy).toContain('R10');
  });

  it('fails a client that adds points twice after another program has read that customer', async () => {
    const { send, start, wait, judge } = await openStage(way, { rules: [on('addPointTransactions', lost)] });
    await addPoints(send);
    await accounts(start({ agent: 'back-office/3.1' }), astrid);
    await wait('2s');
    await addPoints(send);
    const { verdict, failedBy } = await judge();
    expect(verdict).toBe('FAIL');
    expect(failedBy).toContain('R10');
  });

  it('passes a client that looks at the customer, sees nothing, and repeats', async () => {
    const { send, wait, judge } = await openStage(way, { rules: [on('addPointTransactions', 504)] });
    await addPoints(send);
    await accounts(send, bo);
    await wait('2s');
    await accounts(send, astrid);
    await addPoints(send);
    expect(await judge()).toMatchObject({ verdict: 'PASS', findings: [] });
  });

  it('does not take the challenges of another definition for a look', async () => {
    const { send, judge } = await openStage(way, { rules: [on('awardCheckpoints', lost)] });
    await award(send);
    await send('GET', `/api/v3/challenges?contactId=${astrid}&definitionId=${reviews}`);
    expect(await judge()).toMatchObject({ verdict: 'FAIL', failedBy: ['R1'] });
  });

  it('does not take the transactions of another account for a look', async () => {
    const { send, judge } = await openStage(way, { rules: [on('addPointTransactions', lost)] });
    const { body } = (await accounts(send, bo)) ?? {};
    await addPoints(send);
    await send('GET', `/api/v3/point-transactions?id=${body.items[0].id}`);
    expect(await judge()).toMatchObject({ verdict: 'FAIL', failedBy: ['R1'] });
  });

  it.each([
    ['by phone', `mobilePhone=${encodeURIComponent(nils.mobilePhone)}`],
    ['by any key', `any=${nils.email}`],
    ['by e-mail in capitals', `email=${nils.email.toUpperCase()}`],
  ])('takes a look at a new contact %s for one', async (_, query) => {
    const { send, judge } = await openStage(way, { rules: [on('createContact', lost)] });
    await createContact(send, nils);
    await send('GET', `/api/v3/contacts/id?${query}`);
    expect(await judge()).toMatchObject({ verdict: 'PASS', findings: [] });
  });

  it('takes a look by contact id at a receipt that was sent with an e-mail address for one', async () => {
    const { send, judge } = await openStage(way, { rules: [on('createReceipt', lost)] });
    await sell(send, 'till-1', { contact: { matchKey: emailOf.astrid, matchKeyType: 'email' } });
    await purchases(send, astrid);
    expect(await judge()).toMatchObject({ verdict: 'PASS', findings: [] });
  });

  it('takes the transactions of the account for a look at points that were sent by contact', async () => {
    const { send, judge } = await openStage(way, { rules: [on('addPointTransactions', lost)] });
    const { body } = (await accounts(send, astrid)) ?? {};
    const [{ id, definitionId }] = body.items;
    await addPoints(send, [{ ...row(astrid), definitionId }]);
    await send('GET', `/api/v3/point-transactions?id=${id}`);
    expect(await judge()).toMatchObject({ verdict: 'PASS', findings: [] });
  });

  it('does not take a read of the contact for a look at its coupon', async () => {
    const { send, judge } = await openStage(way, { rules: [on('redeemPromotion', lost)] });
    await writes[1]?.write(send);
    await person(send, astrid);
    await coupons(send, bo);
    expect(await judge()).toMatchObject({ verdict: 'FAIL', failedBy: ['R1'] });
  });

  it('does not take a look for a contact under another address for one', async () => {
    const { send, judge } = await openStage(way, { rules: [on('createContact', lost)] });
    await createContact(send, nils);
    await lookUp(send, 'nils.nyman@example.com');
    expect(await judge()).toMatchObject({ verdict: 'FAIL', failedBy: ['R1'] });
  });
});
