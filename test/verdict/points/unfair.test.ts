/** What a verdict must not hold against a client: it is right, or nothing proves that it is wrong. */
import { describe, expect, it } from 'vitest';
import { astrid, bo, nils } from '../../support/people.ts';
import { receiptOf } from '../../support/receipt.ts';
import { lost, on, openStage, ways } from '../../support/programs.ts';
import type { Program, Stage } from '../../support/programs.ts';
import { openWire, rawRequest } from '../../support/wire.ts';
import { addPoints, createContact, lookUp, move, person, redeem, sell } from './business.ts';
import { inTime, notePause } from '../../support/in-time.ts';

/** Cut within the body, after its status and headers. */
const cut = { phase: 'after', respond: 'partial', end: 'close' } as const;

describe.each(ways)('%s, the verdict', inTime, (way) => {
  it('passes who asks again half a minute later for an address that nobody had', async () => {
    const { send, wait, judge } = await openStage(way);
    await lookUp(send, nils.email);
    await wait('30s');
    await lookUp(send, nils.email);
    expect(await judge()).toMatchObject({ failedBy: [], verdict: 'PASS' });
  });

  it('fails who asks again and again at once for an address that nobody has', async () => {
    const { send, wait, judge } = await openStage(way);
    for (let i = 0; i < 4; i++) {
      await lookUp(send, nils.email);
      await wait('200ms');
    }
    expect(await judge()).toMatchObject({ failedBy: ['R2'], verdict: 'FAIL' });
  });

  it('fails who tries a read four times where three are declared by that alone', async () => {
    const { send, wait, judge } = await openStage(way, {
      rules: [on('getContact', 504, 504, 504, 504)],
      policy: { maxAttempts: 3 },
    });
    for (let i = 0; i < 4; i++) {
      await person(send, astrid);
      await wait('1s');
    }
    expect(await judge()).toMatchObject({ failedBy: ['R7'], verdict: 'FAIL' });
  });

  it('passes who gives a read up after the declared attempts', async () => {
    const { send, wait, judge } = await openStage(way, {
      rules: [on('getContact', 504, 504, 504)],
      policy: { maxAttempts: 3 },
    });
    for (let i = 0; i < 3; i++) {
      await person(send, astrid);
      await wait('1s');
    }
    expect(await judge()).toMatchObject({ failedBy: [], verdict: 'PASS' });
  });

  it('passes who writes the same instant in another notation', async () => {
    const { send, wait, judge } = await openStage(way, { rules: [on('createReceipt', 504)] });
    await sell(send, 'till-1', { createdDate: '2026-03-01T11:00:00Z' });
    await wait('2s');
    await sell(send, 'till-1', { createdDate: '2026-03-01T12:00:00.000+01:00' });
    expect(await judge()).toMatchObject({ findings: [], verdict: 'PASS' });
  });

  it('fails who writes another instant', async () => {
    const { send, wait, judge } = await openStage(way, { rules: [on('createReceipt', 504)] });
    await sell(send, 'till-1', { createdDate: '2026-03-01T11:00:00Z' });
    await wait('2s');
    await sell(send, 'till-1', { createdDate: '2026-03-01T11:00:00+01:00' });
    expect(await judge()).toMatchObject({ failedBy: ['R4'], verdict: 'FAIL' });
  });

  it.each([
    ['lost after the work', lost],
    ['504 before the work', 504],
  ])(
    'does not fail who creates a contact again whose e-mail address nobody can have twice, after %s',
    async (_, fault) => {
      const { send, wait, judge } = await openStage(way, { rules: [on('createContact', fault)] });
      await createContact(send, nils);
      await wait('2s');
      await createContact(send, nils);
      expect(await judge()).toMatchObject({ failedBy: [], verdict: 'PASS' });
    },
  );

  it('fails who creates a contact again that no key keeps from being there twice', async () => {
    const { send, wait, judge } = await openStage(way, {
      rules: [on('createContact', lost)],
      fixtures: 'test/support/orders.json',
    });
    await createContact(send, {});
    await wait('2s');
    await createContact(send, {});
    expect(await judge()).toMatchObject({ failedBy: ['R10', 'R11'], verdict: 'FAIL' });
  });

  it('passes a change that a newer one supersedes', async () => {
    const { send, wait, judge } = await openStage(way, { rules: [on('updateContact', 504)] });
    await move(send, { city: 'Umeå' });
    await wait('2s');
    await move(send, { city: 'Luleå' });
    expect(await judge()).toMatchObject({ failedBy: [], verdict: 'PASS' });
  });

  it('fails a change that another one does not supersede', async () => {
    const { send, wait, judge } = await openStage(way, { rules: [on('updateContact', 504)] });
    await move(send, { city: 'Umeå' });
    await wait('2s');
    await move(send, { street: 'Storgatan 1' });
    expect(await judge()).toMatchObject({ failedBy: ['R1'], verdict: 'FAIL' });
  });

  it.each([
    ['a receipt', 'createReceipt', (stage: Stage) => sell(stage.send, 'till-1')],
    ['points', 'addPointTransactions', (stage: Stage) => addPoints(stage.send)],
    ['a change', 'updateContact', (stage: Stage) => move(stage.send, { city: 'Umeå' })],
    ['a redeemed coupon', 'redeemPromotion', (stage: Stage) => redeem(stage.send)],
  ] as const)(
    'passes who takes the 2xx of %s for done whose body is cut, and needs no body',
    async (_, endpoint, write) => {
      const stage = await openStage(way, { rules: [on(endpoint, cut)] });
      await write(stage);
      expect(await stage.judge()).toMatchObject({ failedBy: [], verdict: 'PASS' });
    },
  );

  it('fails who takes a read for done whose body is cut', async () => {
    const { send, judge } = await openStage(way, { rules: [on('getContact', cut)] });
    await person(send, astrid);
    expect(await judge()).toMatchObject({ failedBy: ['R1'], verdict: 'FAIL' });
  });

  it('passes who waits no longer for a slow look than the customer would, and sells without it', async () => {
    const { start, judge } = await openStage(way, {
      rules: [on('getContactId', { delay: '20s' }), on('listPromotionAssignments', { delay: '20s' })],
    });
    const send = start({ timeout: 300 });
    await lookUp(send, 'astrid.lindqvist@example.com');
    await send('GET', `/api/v3/promotion-assignments?contactId=${astrid}`);
    await sell(send, 'till-1', { contact: { matchKey: 'astrid.lindqvist@example.com', matchKeyType: 'email' } });
    expect(await judge()).toMatchObject({ failedBy: [], verdict: 'PASS' });
  });

  it('passes two tills that redeem one coupon, of which the first got no response, and say who they are', async () => {
    const { start, wait, judge } = await openStage(way, { rules: [on('redeemPromotion', lost)] });
    const [one, two] = ['till-1', 'till-2'].map((id) => start({ headers: { 'x-sim-client': id } })) as [
      Program,
      Program,
    ];
    await redeem(one);
    await redeem(two);
    await wait('2s');
    await redeem(one);
    expect(await judge()).toMatchObject({ failedBy: [], verdict: 'PASS' });
  });

  it('says that x-sim-test-id parts the tests of a suite', async () => {
    const { send, wait, judge } = await openStage(way);
    for (let i = 0; i < 2; i++) {
      await person(send, astrid);
      await sell(send, 'receipt-of-the-test');
      await wait('1s');
    }
    const { verdict, text } = await judge();
    if (verdict !== 'PASS') expect(text).toContain('x-sim-test-id');
  });
});

describe('the verdict', () => {
  it(
    'does not fail two tills of one program that redeem one coupon, of which the first got no response',
    inTime,
    async () => {
      const { start, wait, judge } = await openStage('over HTTP', { rules: [on('redeemPromotion', lost)] });
      const [one, two] = [start(), start()];
      for (const till of [one, two]) await person(till, astrid);
      await redeem(one);
      await redeem(two);
      await person(two, bo);
      await wait('2s');
      await redeem(one);
      expect((await judge()).failedBy).toEqual([]);
    },
  );
});

describe('the verdict on what an HTTP library repeats by itself', inTime, () => {
  const policy = { minBackoff: '1s' };

  it('passes the GET that is repeated once, at once, by a new connection after a kept one was closed', async () => {
    const { sim, judge } = await openStage('over HTTP', { policy, rules: [on('getContact', 'EMPTY_RESPONSE')] });
    const port = Number(new URL(sim.url ?? '').port);
    const kept = openWire(port);
    kept.write(rawRequest('GET', '/api/v3/stores'));
    await kept.until((heard) => heard.includes('\r\n\r\n'));
    kept.write(rawRequest('GET', `/api/v3/contacts/${astrid}`));
    await kept.ended;
    const fresh = openWire(port);
    fresh.write(rawRequest('GET', `/api/v3/contacts/${astrid}`));
    await fresh.until((heard) => heard.includes('\r\n\r\n'));
    fresh.close();
    const [, unanswered, again] = sim.tenant('default').requests();
    notePause((again?.startedAt ?? 0) - (unanswered?.finishedAt ?? 0));
    expect(await judge()).toMatchObject({ failedBy: [], verdict: 'PASS' });
  });

  it('fails the POST that is repeated at once by a kept connection: no library does that', async () => {
    const { sim, judge } = await openStage('over HTTP', { policy, rules: [on('createReceipt', 'EMPTY_RESPONSE')] });
    const port = Number(new URL(sim.url ?? '').port);
    const [first, kept] = [openWire(port), openWire(port)];
    const text = rawRequest('POST', '/api/v3/receipts', receiptOf(astrid, 'till-1'), 'accept-encoding: gzip');
    kept.write(rawRequest('GET', '/api/v3/stores'));
    await kept.until((heard) => heard.includes('\r\n\r\n'));
    first.write(text);
    await first.ended;
    const before = kept.heard().length;
    kept.write(text);
    await kept.until((heard) => heard.length > before);
    kept.close();
    expect(await judge()).toMatchObject({ failedBy: ['R6'], verdict: 'FAIL' });
  });

  it('counts no pause of less than nothing when the status is known before the body has come', async () => {
    const { sim, judge } = await openStage('over HTTP', {
      rules: [on('getContact', { status: 504, dribble: { chunks: 20, interval: '100ms' } })],
    });
    const port = Number(new URL(sim.url ?? '').port);
    const text = rawRequest('GET', `/api/v3/contacts/${astrid}`);
    const [first, second] = [openWire(port), openWire(port)];
    first.write(text);
    await first.until((heard) => heard.includes('504'));
    second.write(text);
    await second.until((heard) => heard.includes('200'));
    for (const wire of [first, second]) wire.close();
    expect((await judge()).findings.filter((finding) => finding.startsWith('R6'))).toEqual([]);
  });
});
