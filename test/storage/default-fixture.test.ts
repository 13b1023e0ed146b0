import { existsSync, readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { expect, it } from 'vitest';
import { differences } from '../../src/core/state.ts';
import { readFixtures } from '../../src/storage/fixtures.ts';
import { openClient } from '../support/client.ts';

const contact = (number: string): string => `5a0e7c1e-0001-4000-8000-0000000000${number}`;
const astrid = contact('01');
const content = JSON.parse(readFileSync('fixtures/default.json', 'utf8'));

it('holds an e-mail address that a Member and a Contact share', async () => {
  const { get } = await openClient();
  const { status, body } = await get('/api/v3/contacts/id?email=kim.dubbel@example.com');
  expect(status).toBe(409);
  expect(body.messageDetails.multipleMatchesFound.toSorted()).toEqual([contact('39'), contact('40')]);
});

it.each([
  ['a Swedish', '19850709-9821', astrid],
  ['a Finnish', '190887-940F', contact('15')],
])('finds people by %s personal number', async (_, personalNumber, id) => {
  const { get } = await openClient();
  expect((await get(`/api/v3/contacts/id?socialSecurityNumber=${personalNumber}`)).body).toBe(id);
});

it('gives Astrid several active promotions, one of them redeemed', async () => {
  const { get } = await openClient();
  const { body } = await get(`/api/v3/promotion-assignments?contactId=${astrid}`);
  expect(body.map(({ name, redeemed }: { name: string; redeemed: boolean }) => [name, redeemed])).toEqual([
    ['Welcome', false],
    ['Birthday gift', false],
    ['Free hemming', true],
    ['Coffee at Fika & Co', false],
    ['Member bonus', false],
  ]);
});

it.each(['1900-01-01T00:00:00Z', '2200-12-31T23:59:59Z'])('says what cannot be at %s', (now) => {
  const clock = { frozenAt: Date.parse(now) };
  expect(() => readFixtures('default', { seed: 1, clock })).toThrow(/default\.json:\d+:\d+: .* years 1900 and 2200/);
});

it('uses every channel and every kind of value that a promotion can have', () => {
  const channels: { type: string; valueType: string }[] = content.promotions.flatMap(
    (promotion: { redemptionChannels: object[] }) => promotion.redemptionChannels,
  );
  expect(new Set(channels.map(({ type }) => type))).toEqual(new Set(['POS', 'ECOM', 'OTHER']));
  const values = ['PERCENT', 'MONEY', 'EXTERNALOFFER', 'MANUAL', 'SWIPE'];
  expect(new Set(channels.map(({ valueType }) => valueType))).toEqual(new Set(values));
});

it('sells in three currencies and takes goods back', () => {
  const currencies = content.receipts.map(({ currency }: { currency: string }) => currency);
  expect(new Set(currencies)).toEqual(new Set(['SEK', 'EUR', 'NOK']));
  const lines: { type: string }[] = content.receipts.flatMap(({ items }: { items: object[] }) => items);
  expect(lines.some(({ type }) => type === 'RETURN')).toBe(true);
});

it.each(['2020-01-01T00:00:00Z', '2026-03-01T12:00:00Z', '2040-12-31T23:59:59Z'])('never ages: %s', async (now) => {
  const { get } = await openClient({ now });
  const { purchaseFrequencyAll, purchaseFrequencyLastYear } = (
    await get(`/api/v3/contacts/${astrid}/purchasehistorysummary`)
  ).body;
  expect([purchaseFrequencyAll, purchaseFrequencyLastYear]).toEqual([13, 4]);
});

it('is the same as the build left it, checked, and as it is read from its file', () => {
  const settings = { seed: 1, clock: { frozenAt: 1_772_366_400_000 } };
  expect(existsSync('dist/default-fixture.json')).toBe(true);
  const checked = readFixtures('default', settings);
  const read = readFixtures('fixtures/default.json', settings);
  expect([...differences(checked, read)].filter(({ before, after }) => !isDeepStrictEqual(before, after))).toEqual([]);
  expect(checked.sequences).toEqual(read.sequences);
});
