import { parseTimestamp, toTimestamp } from '../../core/time/clock.ts';
import type { TenantContext } from '../../core/tenant/context.ts';
import { rewardVouchers } from './schema.ts';
import type { RewardVoucher } from './schema.ts';

/** Gives a contact a voucher under a number that no other has. */
export function issueVoucher(
  tenant: TenantContext,
  { contactId, value, currency, expiresOn }: Pick<RewardVoucher, 'contactId' | 'value' | 'currency' | 'expiresOn'>,
): RewardVoucher {
  return tenant.put(rewardVouchers, {
    contactId,
    value,
    currency,
    expiresOn,
    voucherNumber: nextNumber(tenant),
    issuedOn: toTimestamp(tenant.now()),
    usedOn: null,
    receiptId: null,
  });
}

const firstNumber = 80_000_000;

function nextNumber(tenant: TenantContext): string {
  for (;;) {
    const number = String(firstNumber + tenant.next('rewardVoucher'));
    if (!tenant.get(rewardVouchers, number)) return number;
  }
}

/** Names the receipt that a voucher pays for, and whose it is, if that is known. */
export interface VoucherReceipt {
  readonly contactId: string | undefined;
  readonly receiptId: string;
}

/** Marks a voucher that a receipt names as used. Never throws: what can't be right is warned about, the receipt stands. */
export function useVoucher(
  tenant: TenantContext,
  voucherNumber: string,
  { contactId, receiptId }: VoucherReceipt,
): void {
  const voucher = tenant.get(rewardVouchers, voucherNumber);
  if (!voucher) return tenant.warn('unknown-voucher', `there is no reward voucher ${voucherNumber}`);
  if (voucher.usedOn !== null) {
    const where = voucher.receiptId === null ? '' : ` on receipt ${voucher.receiptId}`;
    return tenant.warn('voucher-used-again', `reward voucher ${voucherNumber} was used${where} on ${voucher.usedOn}`);
  }
  const objections = objectionsTo(tenant, voucher, contactId);
  const isTaken = objections.length === 0 || tenant.assumption('A-71') === 'taken';
  const outcome = isTaken ? 'it is taken all the same' : 'it is not used up';
  for (const { code, reason } of objections) tenant.warn(code, `reward voucher ${voucherNumber} ${reason}; ${outcome}`);
  if (isTaken) tenant.put(rewardVouchers, { ...voucher, usedOn: toTimestamp(tenant.now()), receiptId });
}

interface Objection {
  readonly code: 'voucher-of-another-contact' | 'voucher-expired';
  readonly reason: string;
}

/** Says why a voucher is not the receipt's to use. */
function objectionsTo(
  tenant: TenantContext,
  { contactId: owner, expiresOn }: RewardVoucher,
  contactId: string | undefined,
): Objection[] {
  const objections: Objection[] = [];
  if (owner !== contactId) {
    const whose =
      contactId === undefined ? 'the receipt has no known contact' : `the receipt's contact is ${contactId}`;
    objections.push({ code: 'voucher-of-another-contact', reason: `belongs to contact ${owner}, and ${whose}` });
  }
  if (expiresOn !== null && (parseTimestamp(expiresOn) ?? 0) <= tenant.now()) {
    objections.push({ code: 'voucher-expired', reason: `expired on ${expiresOn}` });
  }
  return objections;
}
