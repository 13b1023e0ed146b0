import { toTimestamp } from '../../core/clock.ts';
import { getRow, withRows } from '../../core/state.ts';
import { contacts } from '../contacts/schema.ts';
import { fixtureSection, withoutRepeats } from '../fixture.ts';
import { listOf } from '../formats.ts';
import { rewardVouchers, rewardVoucherSchema } from './schema.ts';
import type { RewardVoucher } from './schema.ts';

export const rewardVouchersFixture = fixtureSection({
  name: 'rewardVouchers',
  schema: listOf(rewardVoucherSchema.partial({ issuedOn: true })),
  load: (state, content, context) => {
    const rows = content.map((row, i): RewardVoucher => {
      const { contactId, issuedOn = toTimestamp(context.now) } = row;
      if (!getRow(state, contacts, contactId)) {
        context.report(`rewardVouchers[${i}].contactId`, `no contact of this fixture has the id ${contactId}`);
      }
      return { ...row, issuedOn };
    });
    const differing = withoutRepeats(rows, { section: 'rewardVouchers', field: 'voucherNumber', context });
    return withRows(state, rewardVouchers, differing);
  },
});
