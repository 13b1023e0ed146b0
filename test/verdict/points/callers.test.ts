/** Reads that are asked again, looks that failed, and outages: the same verdict in process and over HTTP. */
import { describe, expect, it } from 'vitest';
import { astrid, bo } from '../../support/people.ts';
import { on, openStage, unreached, ways } from '../../support/programs.ts';
import type { Judged, Stage, Way } from '../../support/programs.ts';
import { coupons, createContact, emailOf, lookUp, person, sell } from './business.ts';
import { inTime } from '../../support/in-time.ts';

const ofRule = ({ findings }: Judged, rule: string): string[] =>
  findings.filter((finding) => finding.startsWith(`${rule} `));

describe.each(ways)('%s, a read that fails and is asked again', inTime, (way) => {
  const rules = [on('getContact', 500)];

  it('passes as a retry after a pause', async () => {
    const { send, wait, judge } = await openStage(way, { rules });
    await person(send, astrid);
    await wait('2s');
    await person(send, astrid);
    expect(await judge()).toMatchObject({ verdict: 'PASS', findings: [] });
  });

  it('passes as a retry while other customers are served', async () => {
    const { send, wait, judge } = await openStage(way, { rules, policy: { minBackoff: '2s' } });
    await person(send, astrid);
    await wait('1s');
    await person(send, bo);
    await coupons(send, bo);
    await wait('1s');
    await person(send, astrid);
    expect(await judge()).toMatchObject({ verdict: 'PASS' });
  });

  it('leaves open whether it is one, minutes later and after other work', async () => {
    const { send, wait, judge } = await openStage(way, { rules });
    await person(send, astrid);
    for (const id of [bo, `${astrid.slice(0, -1)}3`]) {
      await wait('2m');
      await person(send, id);
      await coupons(send, id);
    }
    await wait('2m');
    await person(send, astrid);
    const judged = await judge();
    expect(judged.failedBy).toEqual([]);
    expect(ofRule(judged, 'R1')).toHaveLength(1);
  });

  it('is no retry by another program', async () => {
    const { send, start, wait, judge } = await openStage(way, { rules });
    await person(send, astrid);
    await wait('2s');
    await person(start({ agent: 'back-office/3.1' }), astrid);
    expect(await judge()).toMatchObject({ verdict: 'FAIL', failedBy: ['R1'] });
  });

  it('is no retry by a process that declares itself another', async () => {
    const { start, wait, judge } = await openStage(way, { rules });
    await person(start({ headers: { 'x-sim-client': 'till-1' } }), astrid);
    await wait('2s');
    await person(start({ headers: { 'x-sim-client': 'till-2' } }), astrid);
    expect(await judge()).toMatchObject({ verdict: 'FAIL', failedBy: ['R1'] });
  });

  it('passes as a retry by the connections of one process that declares itself', async () => {
    const { start, wait, judge } = await openStage(way, { rules });
    const headers = { 'x-sim-client': 'till-1' };
    await person(start({ headers }), astrid);
    await wait('2s');
    await person(start({ headers }), astrid);
    expect(await judge()).toMatchObject({ verdict: 'PASS', findings: [] });
  });
});

it('a read by another connection after other work proves no retry', async () => {
  const { start, wait, judge } = await openStage('over HTTP', { rules: [on('getContact', 500)] });
  const [one, other] = [start(), start()];
  await coupons(other, bo);
  await person(one, astrid);
  await coupons(one, bo);
  await wait('1m');
  await coupons(other, bo);
  await person(other, astrid);
  const judged = await judge();
  expect(judged.failedBy).toEqual([]);
  expect(ofRule(judged, 'R1')).toHaveLength(1);
});

/** In the web shop she is a contact already: of a type whose members the till doesn't create. */
async function openShop(way: Way, ...faults: unknown[]): Promise<Stage> {
  const stage = await openStage(way, { rules: [on('getContactId', ...faults)] });
  const shop = stage.start({ agent: 'web-shop/2.0' });
  await createContact(shop, { email: 'nils.ny@example.com', contactType: 'Contact' });
  return stage;
}

const email = 'nils.ny@example.com';

describe.each(ways)('%s, the verdict', inTime, (way) => {
  it.each([
    ['503', [503]],
    ['a reset', [unreached]],
    ['504 twice', [504, 504]],
  ])(
    'fails a client that takes a look that ended in %s for "not there", and says what came of it',
    async (_, faults) => {
      const { send, wait, judge } = await openShop(way, ...faults);
      for (const [i] of faults.entries()) {
        if (i > 0) await wait('2s');
        await lookUp(send, email);
      }
      await createContact(send, { email });
      const { verdict, failedBy, text } = await judge();
      expect(verdict).toBe('FAIL');
      expect(failedBy).toContain('R15');
      expect(text).toMatch(/two contacts with .*nils\.ny@example\.com/);
    },
  );

  it('names a failed look that was taken for "not there" also where the service refused the creation', async () => {
    const { send, judge } = await openStage(way, { rules: [on('getContactId', 503)] });
    await lookUp(send, emailOf.astrid);
    await createContact(send, { email: emailOf.astrid });
    expect(ofRule(await judge(), 'R15')).toHaveLength(1);
  });

  it('passes a client that asks again until it knows', async () => {
    const { send, wait, judge } = await openShop(way, 503, 503);
    await lookUp(send, email);
    for (const pause of ['2s', '4s']) {
      await wait(pause);
      await lookUp(send, email);
    }
    expect(await judge()).toMatchObject({ failedBy: [], verdict: 'PASS' });
  });

  it('passes a client that asks again, finds nobody, and creates the contact', async () => {
    const { send, wait, judge } = await openStage(way, { rules: [on('getContactId', 503)] });
    await lookUp(send, email);
    await wait('2s');
    await lookUp(send, email);
    await createContact(send, { email });
    expect(await judge()).toMatchObject({ failedBy: [], verdict: 'PASS' });
  });

  it('passes a client that finds nobody and creates the contact', async () => {
    const { send, judge } = await openStage(way);
    await lookUp(send, email);
    await createContact(send, { email });
    expect(await judge()).toMatchObject({ verdict: 'PASS', findings: [] });
  });

  it('passes a client whose look for one customer fails before it creates another', async () => {
    const { send, wait, judge } = await openStage(way, { rules: [on('getContactId', 504)] });
    await lookUp(send, emailOf.bo);
    await lookUp(send, email);
    await createContact(send, { email });
    await wait('2s');
    await lookUp(send, emailOf.bo);
    expect(await judge()).toMatchObject({ failedBy: [], verdict: 'PASS' });
  });

  it('fails nobody who asks for a new customer twice in an outage of another endpoint', async () => {
    const { send, wait, judge } = await openStage(way, {
      rules: [on('createReceipt', 504, 504, 504, 504)],
      policy: { maxAttempts: 4, minBackoff: ['1s', '2s', '4s'], storeAndForward: { after: '30s' } },
    });
    await sell(send, 'till-1');
    for (const pause of ['1s', '2s', '4s']) {
      await wait(pause);
      await sell(send, 'till-1');
    }
    // The creation waits in the client's queue, behind the receipt.
    await lookUp(send, email);
    await lookUp(send, email);
    await wait('1m');
    await sell(send, 'till-1');
    await createContact(send, { email });
    expect(await judge()).toMatchObject({ failedBy: [], verdict: 'PASS' });
  });
});
