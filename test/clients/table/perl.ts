/** Lists the programs in Perl: HTTP::Tiny, which comes with it, and forked children. */
import type { ClientProgram } from './client-program.ts';
import { fail, lost, on, pass } from './client-program.ts';

type Row = Omit<ClientProgram, 'language' | 'needs'>;

const rows: Row[] = [
  {
    name: 'perl-till-right',
    run: 'perl/till.pl right',
    rules: [on('createReceipt', 504, lost)],
    expected: pass,
    why: 'It repeats each receipt unchanged.',
  },
  {
    name: 'perl-till-time-in-key',
    run: 'perl/till.pl time-in-key',
    rules: [on('createReceipt', lost)],
    expected: fail(['R5', 'R10']),
    why: 'The key holds the time of the attempt, so one sale is stored twice.',
  },
  {
    name: 'perl-coupon-right',
    run: 'perl/till.pl coupon',
    rules: [on('redeemPromotion', lost)],
    expected: pass,
    why: 'A 409 after the lost response means success.',
  },
  {
    name: 'perl-coupon-drops',
    run: 'perl/till.pl coupon-drops',
    rules: [on('redeemPromotion', lost)],
    expected: fail(['R1'], ['R9']),
    why: 'The promotions and the receipt of the next customer say nothing of the coupon.',
  },
  {
    name: 'perl-receipt-looks',
    run: 'perl/till.pl receipt-looks',
    rules: [on('createReceipt', lost)],
    expected: pass,
    why: 'It finds the receipt among the customer’s purchases.',
  },
  {
    name: 'perl-receipt-looks-elsewhere',
    run: 'perl/till.pl receipt-looks-elsewhere',
    rules: [on('createReceipt', lost)],
    expected: fail(['R1'], ['R9']),
    why: 'It reads the purchases of another customer and gives up.',
  },
  {
    name: 'perl-batch-right',
    run: 'perl/batch.pl right',
    rules: [on('createReceipt', 504, lost)],
    expected: pass,
    why: 'Three children work side by side; each repeats its own receipt.',
  },
  {
    name: 'perl-batch-drops',
    run: 'perl/batch.pl drops',
    rules: [on('createReceipt', 504)],
    expected: fail(['R1'], ['R9']),
    why: 'One receipt of six is never sent again.',
  },
];

export const perl: ClientProgram[] = rows.map((row) => ({
  ...row,
  language: 'Perl',
  needs: ['perl:HTTP::Tiny', 'perl:JSON::PP'],
}));
