import { toTimestamp } from '../../core/time/clock.ts';
import { mapInSteps } from '../../core/time/steps.ts';
import { getRow, withRowsInSteps } from '../../core/state/state.ts';
import { contacts } from '../contacts/schema.ts';
import { fixtureSection, withoutDuplicates } from '../resource/fixture-section.ts';
import { arrayOf } from '../../core/validation/field-types.ts';
import { rewardVouchers, rewardVoucherSchema } from './schema.ts';
import type { RewardVoucher } from './schema.ts';

export const rewardVouchersFixture = fixtureSection({
  name: 'rewardVouchers',
  description: 'the reward vouchers that contacts hold',
  schema: arrayOf(rewardVoucherSchema.partial({ issuedOn: true })),
  load: function* (state, content, context) {
    const rows = yield* mapInSteps(content, (row, i): RewardVoucher => {
      const { contactId, issuedOn = toTimestamp(context.now) } = row;
      if (!getRow(state, contacts, contactId)) {
        context.report(`rewardVouchers[${i}].contactId`, `no contact of this fixture has the id ${contactId}`);
      }
      return { ...row, issuedOn };
    });
    const differing = withoutDuplicates(rows, { section: 'rewardVouchers', field: 'voucherNumber', context });
    return yield* withRowsInSteps(state, rewardVouchers, differing);
  },
});
