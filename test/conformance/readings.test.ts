import { describe, expect, it } from 'vitest';
import { assumptions } from '../../src/service/assumptions/catalog.ts';
import type { AssumptionId, VariantOf } from '../../src/service/assumptions/catalog.ts';
import { challengeReadings } from './readings/challenges.ts';
import { contactReadings } from './readings/contacts.ts';
import { followerReadings } from './readings/follower.ts';
import { pointReadings } from './readings/points.ts';
import { promotionReadings } from './readings/promotions.ts';
import { receiptReadings } from './readings/receipts.ts';
import { wireReadings } from './readings/wire.ts';
import type { Case } from './world.ts';

/** A case for every reading of every assumption: the default and each variant. */
const readings: { readonly [Id in AssumptionId]: Readonly<Record<VariantOf<Id>, Case>> } = {
  ...wireReadings,
  ...contactReadings,
  ...receiptReadings,
  ...promotionReadings,
  ...challengeReadings,
  ...pointReadings,
  ...followerReadings,
};

it('the table has a case for every reading, and no other', () => {
  const cased = Object.entries(readings).map(([id, cases]) => [id, Object.keys(cases).toSorted()]);
  const registered = assumptions.map(({ id, variants }) => [id, ['default', ...Object.keys(variants)].toSorted()]);
  expect(Object.fromEntries(cased)).toEqual(Object.fromEntries(registered));
});

describe.each(Object.entries(readings))('%s', (_, cases) => {
  it.each(Object.entries<Case>(cases))('%s', async (_variant, check) => check());
});
