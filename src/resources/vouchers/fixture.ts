import { toTimestamp } from '../../core/clock.ts';
import { getRow, withRows } from '../../core/state.ts';
import { contacts } from '../contacts/schema.ts';
import { fixtureSection } from '../fixture.ts';
import { listOf } from '../formats.ts';
import { rewardVouchers, rewardVoucherSchema } from './schema.ts';
import type { RewardVoucher } from './schema.ts';

export const rewardVouchersFixture = fixtureSection({
  name: 'rewardVouchers',
  schema: listOf(rewardVoucherSchema.partial({ issuedOn: true })),
  load: (state, content, context) => {
    const places = new Map<string, number>();
    const rows = content.map((row, i): RewardVoucher => {
      const { voucherNumber, contactId, issuedOn = toTimestamp(context.now) } = row;
      const path = `rewardVouchers[${i}]`;
      const first = places.get(voucherNumber);
      if (first !== undefined) {
        context.fail(`${path}.voucherNumber`, `${voucherNumber} is the number of rewardVouchers[${first}] already`);
      }
      if (!getRow(state, contacts, contactId)) {
        context.fail(`${path}.contactId`, `no contact of this fixture has the id ${contactId}`);
      }
      places.set(voucherNumber, i);
      return { ...row, issuedOn };
    });
    return withRows(state, rewardVouchers, rows);
  },
});
