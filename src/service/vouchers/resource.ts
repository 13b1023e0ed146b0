import { resource } from '../resource/resource.ts';
import { rewardVouchersFixture } from './fixture.ts';
import { rewardVouchers } from './schema.ts';

export const voucherResource = resource({
  name: 'vouchers',
  tables: [rewardVouchers],
  fixtures: [rewardVouchersFixture],
  banner: { rewardVouchers: 'reward vouchers' },
});
