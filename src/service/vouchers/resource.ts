import { headline } from '../resource/headline.ts';
import { latestRows } from '../resource/card-section.ts';
import { resource } from '../resource/resource.ts';
import { rewardVouchersFixture } from './fixture.ts';
import { rewardVouchers, rewardVoucherSchema } from './schema.ts';

export const voucherResource = resource({
  name: 'vouchers',
  tables: [rewardVouchers],
  headlines: [headline(rewardVouchers, ['value', 'currency', 'expiresOn', 'usedOn'])],
  fixtures: [rewardVouchersFixture],
  banner: { rewardVouchers: 'reward vouchers' },
  state: {
    vouchers: {
      kind: 'amount',
      description: 'Counts the reward vouchers of the contact',
      read: (tenant, contactId) => ({
        place: 'number of vouchers',
        value: tenant.list(rewardVouchers, 'byContact', contactId).size,
      }),
    },
  },
  card: () => ({
    rewardVouchers: latestRows({ table: rewardVouchers, item: rewardVoucherSchema, show: (voucher) => voucher }),
  }),
});
