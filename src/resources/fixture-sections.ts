/** The sections of a fixture file, in the order they are loaded. */
import type { FixtureSection } from './fixture.ts';
import { promotionAssignmentsFixture, promotionsFixture } from './promotions/fixture.ts';
import { receiptsFixture } from './receipts/fixture.ts';
import { rewardVouchersFixture } from './vouchers/fixture.ts';

export const fixtureSections: readonly FixtureSection[] = [
  promotionsFixture,
  promotionAssignmentsFixture,
  rewardVouchersFixture,
  receiptsFixture,
];
