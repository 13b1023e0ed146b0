import { describe, expect, it } from 'vitest';
import { assign, definitions, progressOf } from '../../support/challenges.ts';
import type { Client } from '../../support/client.ts';
import { lineOf, returnOf } from '../../support/receipt-lines.ts';
import { receiptOf } from '../../support/receipt.ts';
import { astrid, bo } from '../../support/people.ts';
import { openChallengesSim } from '../../support/open-sim.ts';

let number = 0;

const buy = ({ post }: Client, fields: object, contactId = bo) =>
  post('/api/v3/receipts', receiptOf(contactId, `r-${number++}`, fields));

/** What a contact with a new challenge earns by one receipt. */
async function earnedBy(definitionId: string, fields: object): Promise<number | undefined> {
  const client = await openChallengesSim();
  await assign(client, definitionId);
  expect((await buy(client, fields)).status).toBe(202);
  return progressOf(client, definitionId);
}

const lines = (...fields: readonly object[]): object => ({ items: fields.map(lineOf) });

describe('a receipt', () => {
  it.each([
    [{ totalGrossPrice: 300 }, 1],
    [{ totalGrossPrice: 299.99 }, 0],
    [{ totalGrossPrice: 3000 }, 1],
    [{ totalGrossPrice: 27.28, currency: 'EUR' }, 1],
    [{ totalGrossPrice: 27.27, currency: 'EUR' }, 0],
    [{ totalGrossPrice: 150, exchangeRateToGroupCurrency: 2 }, 1],
    [{ items: [returnOf()], totalGrossPrice: -900 }, 0],
    [{ items: [lineOf(), returnOf()], totalGrossPrice: 300 }, 1],
  ])('of a total earns one checkpoint: %j', async (fields, earned) => {
    expect(await earnedBy(definitions.visits, fields)).toBe(earned);
  });

  it.each([
    [lines({ quantity: 1 }), 0],
    [lines({ quantity: 2 }), 1],
    [lines({ quantity: 3 }, { quantity: 2 }), 2],
    [{ items: [lineOf({ quantity: 4 }), returnOf({ quantity: -2 })] }, 2],
    [{ items: [lineOf({ quantity: 4, type: 'ADJUSTMENT' })] }, 0],
  ])('of a quantity earns by the number of articles: %j', async (fields, earned) => {
    expect(await earnedBy(definitions.socks, fields)).toBe(earned);
  });

  it.each([
    [lines({ grossPaidPrice: 1999.99 }), 0],
    [lines({ grossPaidPrice: 2000 }, { grossPaidPrice: 500 }, { grossPaidPrice: 2500 }), 2],
    [{ ...lines({ grossPaidPrice: 200 }), currency: 'EUR' }, 1],
    [{ items: [returnOf({ grossPaidPrice: 5000 })], totalGrossPrice: -5000 }, 0],
  ])('of dear lines earns by each of them: %j', async (fields, earned) => {
    expect(await earnedBy(definitions.coats, fields)).toBe(earned);
  });

  it('earns nothing where the definition names no purchases', async () => {
    expect(await earnedBy(definitions.reviews, { totalGrossPrice: 10_000 })).toBe(0);
  });

  it('completes a challenge, and adds nothing after that', async () => {
    const client = await openChallengesSim();
    for (const _ of [1, 2, 3]) await buy(client, { totalGrossPrice: 300 }, astrid);
    expect(await progressOf(client, definitions.visits, astrid)).toBe(5);
  });

  it('adds nothing to a challenge whose time has run out', async () => {
    const client = await openChallengesSim({ now: '2026-10-01T00:00:00Z' });
    await buy(client, { totalGrossPrice: 300 }, astrid);
    expect(await progressOf(client, definitions.visits, astrid)).toBe(3);
  });

  it('of somebody else or of nobody adds nothing', async () => {
    const client = await openChallengesSim();
    await assign(client, definitions.visits);
    await buy(client, { totalGrossPrice: 300 }, astrid);
    await buy(client, { totalGrossPrice: 300, contact: { matchKey: 'x@example.com', matchKeyType: 'email' } });
    expect(await progressOf(client, definitions.visits)).toBe(0);
    expect(await progressOf(client, definitions.visits, astrid)).toBe(4);
  });

  it('sent twice counts once, and twice with A-24=twice', async () => {
    const clients = [await openChallengesSim(), await openChallengesSim({ assumptions: { 'A-24': 'twice' } })];
    const sent = receiptOf(astrid, 'same', { totalGrossPrice: 300 });
    for (const { post } of [...clients, ...clients]) await post('/api/v3/receipts', sent);
    const progress = clients.map((client) => progressOf(client, definitions.visits, astrid));
    expect(await Promise.all(progress)).toEqual([4, 5]);
  });

  it('earns when it is recorded, not when it is accepted', async () => {
    const client = await openChallengesSim({ queueDelay: 60_000 });
    await buy(client, { totalGrossPrice: 300 }, astrid);
    expect(await progressOf(client, definitions.visits, astrid)).toBe(3);
    await client.post('/__admin/clock', { advance: '1m' });
    expect(await progressOf(client, definitions.visits, astrid)).toBe(4);
  });
});
