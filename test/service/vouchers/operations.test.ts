import { describe, expect, it } from 'vitest';
import type { Client } from '../../support/client.ts';
import { receiptOf } from '../../support/receipt.ts';
import { astrid } from '../../support/people.ts';
import { openOffersSim } from '../../support/open-sim.ts';

/** What is said of the vouchers of a receipt. */
async function pay(client: Client, id: string, ...numbers: string[]): Promise<string> {
  const usedRewardVouchers = numbers.map((voucherNumber) => ({ voucherNumber }));
  const { status, warnings } = await client.post('/api/v3/receipts', receiptOf(astrid, id, { usedRewardVouchers }));
  expect(status).toBe(202);
  return warnings;
}

describe('the use of vouchers', () => {
  it('takes a voucher once', async () => {
    const client = await openOffersSim();
    expect(await pay(client, 'R-1', 'V-1')).toBe('');
    expect(await pay(client, 'R-2', 'V-1')).toMatch(/^voucher-used-again.*V-1 was used on receipt/);
  });

  it('warns of a voucher that a receipt names twice', async () => {
    expect(await pay(await openOffersSim(), 'R-1', 'V-1', 'V-1')).toContain('voucher-used-again');
  });

  it.each([
    { number: 'V-OLD', code: 'voucher-expired' },
    { number: 'V-BO', code: 'voucher-of-another-contact' },
  ])('does not use up $number, with the warning $code', async ({ number, code }) => {
    const client = await openOffersSim();
    expect(await pay(client, 'R-1', number)).toMatch(new RegExp(`${code}.*it is not used up`));
    expect(await pay(client, 'R-2', number)).toContain(code);
    const taking = await openOffersSim({ assumptions: { 'A-71': 'taken' } });
    expect(await pay(taking, 'R-1', number)).toMatch(new RegExp(`${code}.*it is taken all the same`));
    expect(await pay(taking, 'R-2', number)).toContain('voucher-used-again');
  });

  it('warns of a number that no voucher has', async () => {
    expect(await pay(await openOffersSim(), 'R-1', 'V-404')).toContain('there is no reward voucher V-404');
  });
});
