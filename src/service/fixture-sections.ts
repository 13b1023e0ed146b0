/** The sections of a fixture file, in the order they are loaded. */
import { challengeDefinitionsFixture, challengesFixture } from './challenges/fixture.ts';
import { consentsFixture } from './consents/fixture.ts';
import { contactsFixture } from './contacts/fixture.ts';
import type { FixtureSection } from './resource/fixture-section.ts';
import { pointDefinitionsFixture, pointTransactionsFixture } from './points/fixture.ts';
import { promotionAssignmentsFixture, promotionsFixture } from './promotions/fixture.ts';
import { receiptsFixture } from './receipts/fixture.ts';
import { contactTypesFixture, retailerFixture, storesFixture } from './retailer/fixture.ts';
import { rewardVouchersFixture } from './vouchers/fixture.ts';

export const fixtureSections: readonly FixtureSection[] = [
  retailerFixture,
  contactTypesFixture,
  storesFixture,
  consentsFixture,
  contactsFixture,
  pointDefinitionsFixture,
  challengeDefinitionsFixture,
  challengesFixture,
  promotionsFixture,
  promotionAssignmentsFixture,
  rewardVouchersFixture,
  receiptsFixture,
  pointTransactionsFixture,
];
