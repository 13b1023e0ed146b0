import { parseTimestamp, toTimestamp } from '../../core/time/clock.ts';
import type { Job } from '../../core/time/jobs.ts';
import type { Steps } from '../../core/time/steps.ts';
import type { TenantContext } from '../../core/tenant/context.ts';
import { awardReceiptCheckpoints } from '../challenges/receipt-checkpoints.ts';
import { findContact, contactNotFoundMessage } from '../contacts/lookup.ts';
import { isPointFollower } from '../points/point-follower.ts';
import { awardPurchase } from '../points/ledger/purchases.ts';
import { usePromotion } from '../promotions/operations.ts';
import { validationError, apiError } from '../errors/catalog.ts';
import { addRetailerMonths, getContactType, retailerOf, warnIfUnknownStore } from '../retailer/operations.ts';
import { useVoucher } from '../vouchers/operations.ts';
import { matchContact, ignoredContactTypeMessage, unmatchedReason } from './contact-match.ts';
import { exchangeRateOf, purchaseHistoryChanges, receiptRow, receipts } from './tables.ts';
import type { ReceiptRow } from './tables.ts';
import type { ContactRow } from '../contacts/schema.ts';
import type { PurchaseHistorySummary, ReceiptBody } from './schema.ts';
import { findSignErrors } from './return-signs.ts';
import type { SignError } from './return-signs.ts';
import { summarizePurchases } from './purchase-history.ts';

/** Queues a receipt to be recorded. Throws a validation error or `InvalidContactType`. */
export function acceptReceipt(tenant: TenantContext, body: ReceiptBody): void {
  if (admitReceipt(tenant, body)) tenant.enqueue('receipts.record', body);
}

/** Returns false for a receipt that is there already. Throws a validation error or `InvalidContactType`. */
export function admitReceipt(tenant: TenantContext, body: ReceiptBody): boolean {
  const signs = findSignErrors(body);
  checkReceipt(tenant, body, signs);
  if (isAlreadyRecorded(tenant, body) && ignoresRepeat(tenant, body)) return false;
  warnOfSigns(tenant, body, signs);
  warnIfUnknownStore(tenant, 'storeExternalId', body.storeExternalId);
  warnOfDate(tenant, body);
  warnOfRate(tenant, body);
  return true;
}

/** Does the queued work: the receipt becomes a transaction of its contact, for good (Receipt rule 4). */
export function* recordReceipt(tenant: TenantContext, body: ReceiptBody, { createdAt }: Pick<Job, 'createdAt'>): Steps {
  const isRepeat = isAlreadyRecorded(tenant, body);
  if (isRepeat && ignoresRepeat(tenant, body)) return;
  const contactId = matchContact(tenant, body.contact);
  const row = tenant.put(
    receipts,
    receiptRow(body, {
      newId: () => tenant.newId(),
      number: tenant.next('receipt'),
      contactId: contactId ?? null,
      isRepeat,
      retailer: retailerOf(tenant),
      acceptedAt: createdAt,
      recordedAt: tenant.now(),
    }),
  );
  if (contactId !== undefined) tenant.put(purchaseHistoryChanges, { contactId, changedOn: toTimestamp(tenant.now()) });
  if (contactId === undefined) warnOfContact(tenant, body);
  else warnOfContactType(tenant, body, contactId);
  const receipt = { contactId, receiptId: row.id };
  for (const use of body.usedPromotions ?? []) usePromotion(tenant, use, receipt);
  for (const { voucherNumber } of body.usedRewardVouchers ?? []) {
    if (voucherNumber) useVoucher(tenant, voucherNumber, receipt);
    else tenant.warn('unknown-voucher', 'one of usedRewardVouchers has no voucherNumber; it is passed over');
  }
  awardReceiptCheckpoints(tenant, row);
  if (!isPointFollower(tenant)) yield* awardPurchase(tenant, row);
}

/** Returns what a contact bought, up to now and in two rolling windows. Throws `RetailKpiNotCalculated`. */
export function purchaseHistorySummary(tenant: TenantContext, contactId: string): PurchaseHistorySummary {
  const contact = findContact(tenant, contactId);
  if (!contact) throw notCalculated(contactNotFoundMessage(contactId));
  const list = tenant.list(receipts, 'byContact', contact.id);
  const latest = tenant.get(receipts, list.last()?.key ?? '');
  if (!latest && tenant.assumption('A-29') !== 'zeros') throw notCalculated(`contact ${contactId} has no receipts`);
  const now = tenant.now();
  return {
    lastUpdated: lastChangeOf(tenant, contact, latest),
    latestReceiptDate: latest?.createdDate ?? null,
    ...summarizePurchases({
      all: list.sums(),
      lastYear: list.sums(addRetailerMonths(tenant, now, -12)),
      lastTwoYears: list.sums(addRetailerMonths(tenant, now, -24)),
    }),
  };
}

function lastChangeOf(tenant: TenantContext, { id, createdOn }: ContactRow, latest: ReceiptRow | undefined): string {
  const changedOn = tenant.get(purchaseHistoryChanges, id)?.changedOn ?? latest?.recordedOn ?? createdOn;
  return toTimestamp(parseTimestamp(changedOn) ?? tenant.now());
}

const notCalculated = (reason: string) =>
  apiError('RetailKpiNotCalculated', { message: `There is no purchase history summary: ${reason}.` });

function checkReceipt(tenant: TenantContext, body: ReceiptBody, signs: readonly SignError[]): void {
  if (signs.length > 0 && tenant.assumption('A-23') === 'refuse') {
    throw validationError(signs.map(({ field, errorDescription }) => ({ field, errorDescription })));
  }
  if (body.contact.contactType) getContactType(tenant, body.contact.contactType);
}

const isAlreadyRecorded = (tenant: TenantContext, { uniqueReceiptId }: ReceiptBody): boolean =>
  typeof uniqueReceiptId === 'string' && tenant.find(receipts, 'uniqueReceiptId', uniqueReceiptId) !== undefined;

/** Decides what becomes of a receipt that is already there. */
function ignoresRepeat(tenant: TenantContext, { uniqueReceiptId }: ReceiptBody): boolean {
  if (tenant.assumption('A-24') === 'twice') return false;
  const message = `a receipt with the uniqueReceiptId "${uniqueReceiptId}" is already there; this one is ignored`;
  tenant.warn('repeated-receipt', message);
  return true;
}

/** Warns of a receipt whose contact is unknown. */
function warnOfContact(tenant: TenantContext, { contact }: ReceiptBody): void {
  tenant.assumption('A-25');
  tenant.warn('unknown-contact', `${unmatchedReason(tenant, contact)}; the receipt is kept, and belongs to nobody`);
}

function warnOfContactType(tenant: TenantContext, { contact }: ReceiptBody, contactId: string): void {
  const found = findContact(tenant, contactId);
  const unread = found && ignoredContactTypeMessage(contact, found);
  if (unread !== undefined) tenant.warn('unread-contact-type', unread);
}

function warnOfSigns(tenant: TenantContext, body: ReceiptBody, signs: readonly SignError[]): void {
  for (const { field, value, errorDescription } of signs) {
    const counted = value === 0 ? '' : `; it counts as ${-value}`;
    tenant.warn('wrong-sign', `${field} ${errorDescription}, not ${value}${counted}`);
  }
  for (const [i, { type, quantity }] of body.items.entries()) {
    if (type !== 'PURCHASE' || (quantity ?? 0) >= 0) continue;
    const message = `items[${i}].quantity is ${quantity} on a line of type PURCHASE; what is returned is of type RETURN`;
    tenant.warn('wrong-sign', message);
  }
}

function warnOfDate(tenant: TenantContext, { createdDate }: ReceiptBody): void {
  if (!createdDate || (parseTimestamp(createdDate) ?? 0) <= tenant.now()) return;
  tenant.warn('future-receipt', `createdDate ${createdDate} is yet to come; here it is ${toTimestamp(tenant.now())}`);
}

function warnOfRate(tenant: TenantContext, body: ReceiptBody): void {
  const retailer = retailerOf(tenant);
  if (exchangeRateOf(body, retailer) !== undefined) return;
  const message =
    `there is no rate from ${body.currency} to ${retailer.groupCurrency}, so it counts as 1; ` +
    'send exchangeRateToGroupCurrency';
  tenant.warn('unknown-rate', message);
}
