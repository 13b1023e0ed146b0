/** Awards points for purchases, and takes them back with returns. */
import { toTimestamp } from '../../../core/time/clock.ts';
import type { Instant } from '../../../core/time/clock.ts';
import type { Steps } from '../../../core/time/steps.ts';
import type { TenantContext } from '../../../core/tenant/context.ts';
import { promotionAssignments, promotions } from '../../promotions/schema.ts';
import { retailerOf } from '../../retailer/operations.ts';
import type { LineItem, ReceiptRow } from '../../receipts/tables.ts';
import { listPointAccounts, getOrCreatePointAccount } from '../lookup.ts';
import { expiryByAge } from './expiry.ts';
import { definitionOfAccount, recordPurchase, settleInSteps } from './ledger.ts';
import { deductReturned, unitPriceOf } from './returns.ts';
import { parseInstant, pointAwards, pointBonuses } from '../tables.ts';
import type { PointAccount } from '../tables.ts';
import { pointDefinitions } from '../definitions.ts';
import type { PointDefinition } from '../definitions.ts';
import { isPointSystemActive } from '../points-enabled.ts';

/** Describes a contact's receipt that points come of. */
interface Purchase {
  readonly receipt: ReceiptRow;
  readonly contactId: string;
}

/** Holds what a receipt does to its contact's points. */
export function* awardPurchase(tenant: TenantContext, receipt: ReceiptRow): Steps {
  const { contactId } = receipt;
  if (contactId === null || !isPointSystemActive(tenant)) return;
  const earning = tenant.listRows(pointDefinitions, 'earning', 'all');
  if (earning.length > 0) tenant.assumption('A-51');
  // What is sold comes first, so that a return on the same receipt finds it.
  for (const definition of earning) yield* awardLines(tenant, { receipt, contactId }, definition);
  const [first] = earning;
  if (first) awardBonuses(tenant, { receipt, contactId }, first);
  for (const definition of earning) yield* takeReturned(tenant, { receipt, contactId }, definition);
  for (const account of listPointAccounts(tenant, contactId)) {
    const { pointsPerUnit, expiry } = definitionOfAccount(tenant, account);
    // Whoever buys something is not inactive.
    if (pointsPerUnit > 0 || expiry.method === 'contactInactive') yield* settleInSteps(tenant, account);
  }
}

const isReturned = ({ type }: LineItem): boolean => type === 'RETURN';

function* awardLines(tenant: TenantContext, { receipt, contactId }: Purchase, definition: PointDefinition): Steps {
  const bought = receipt.items.filter(({ type, quantity }) => type === 'PURCHASE' && quantity > 0);
  if (bought.length === 0 && !receipt.items.some(isReturned)) return;
  const account = getOrCreatePointAccount(tenant, contactId, definition.id);
  const start = activationOf(tenant, receipt, definition);
  if (bought.some(({ awardsPoints }) => awardsPoints)) warnOfOld(tenant, receipt, { definition, start });
  const validFrom = toTimestamp(start);
  const weightOf = bought.some(({ grossPaidPrice }) => grossPaidPrice > 0)
    ? ({ grossPaidPrice }: LineItem): number => Math.max(0, grossPaidPrice)
    : ({ quantity }: LineItem): number => quantity;
  const total = bought.reduce((sum, line) => sum + weightOf(line), 0);
  for (const [i, line] of bought.entries()) {
    const place = { place: i / bought.length, share: weightOf(line) / total };
    awardLine(tenant, { receipt, account, definition, validFrom, ...place }, line);
    yield;
  }
}

function* takeReturned(tenant: TenantContext, { receipt, contactId }: Purchase, definition: PointDefinition): Steps {
  for (const line of receipt.items.filter(isReturned)) {
    const account = getOrCreatePointAccount(tenant, contactId, definition.id);
    const unbought = deductReturned(tenant, { receipt, account }, line);
    if (unbought > 0) warnOfUnbought(tenant, { definition, unbought }, line, receipt);
    yield;
  }
}

interface LineAward {
  readonly receipt: ReceiptRow;
  readonly account: PointAccount;
  readonly definition: PointDefinition;
  readonly validFrom: string;
  /** Holds the position of the line on the receipt: 0 is its start, 1 its end. */
  readonly place: number;
  /** Holds the part of all that is sold on the receipt: by what was paid or, where all was free, by quantity. */
  readonly share: number;
}

/** Returns the points of a line without its discounts, and what the discounts take of them again. */
function awardLine(tenant: TenantContext, award: LineAward, line: LineItem): void {
  const { receipt, account, definition, validFrom, place, share } = award;
  const { gross, net } = line.awardsPoints ? pointsOf(receipt, line, definition) : { gross: 0, net: 0 };
  const lot =
    gross > 0
      ? recordPurchase(tenant, account, {
          gross,
          discount: gross - net,
          transactionDate: receipt.createdDate,
          validFrom,
          lineId: line.id,
        })
      : undefined;
  if (line.sku === null) return;
  tenant.put(pointAwards, {
    accountId: account.id,
    receiptId: receipt.id,
    lineId: line.id,
    sku: line.sku,
    boughtOn: parseInstant(receipt.createdDate),
    number: receipt.number + place,
    quantity: line.quantity,
    returned: 0,
    share,
    unitPrice: unitPriceOf(receipt, line),
    gave: net,
    deducted: 0,
    expired: 0,
    lotId: lot?.id ?? null,
  });
}

/** Points are whole: rounded down, with what a double is short of forgiven. */
const whole = (points: number): number => Math.max(0, Math.floor(points + 1e-6));

function pointsOf(
  { exchangeRate }: ReceiptRow,
  { grossPaidPrice, discounts }: LineItem,
  { pointsPerUnit }: PointDefinition,
): { readonly gross: number; readonly net: number } {
  const discount = discounts.reduce((sum, { value }) => sum - (value ?? 0), 0);
  const pointsFor = (price: number): number => whole(price * exchangeRate * pointsPerUnit);
  return { gross: pointsFor(grossPaidPrice + discount), net: pointsFor(grossPaidPrice) };
}

/** a receipt that comes late gives its points as of the day of the purchase; one dated ahead, as of now. */
function countedFrom(tenant: TenantContext, { createdDate }: ReceiptRow): Instant {
  const boughtOn = parseInstant(createdDate);
  if (boughtOn >= tenant.now()) return tenant.now();
  return tenant.assumption('A-56') === 'processing' ? tenant.now() : boughtOn;
}

const activationOf = (
  tenant: TenantContext,
  receipt: ReceiptRow,
  { daysPending, pendingPointsActive }: PointDefinition,
): Instant => countedFrom(tenant, receipt) + (pendingPointsActive ? daysPending * 86_400_000 : 0);

/** Points that are over before they are there look lost to whoever sent the receipt. */
function warnOfOld(
  tenant: TenantContext,
  { createdDate }: ReceiptRow,
  { definition, start }: { readonly definition: PointDefinition; readonly start: Instant },
): void {
  const validTo = expiryByAge(definition, start, retailerOf(tenant).timeZone);
  if (validTo === null || parseInstant(validTo) > tenant.now()) return;
  const message = `the receipt is of ${createdDate}, so its points of definition ${definition.id} were over on ${validTo}`;
  tenant.warn('points-expired', `${message}; they expire at once`);
}

/** A return that is sent or dated before its purchase, or names another article, takes no points, now or later. */
function warnOfUnbought(
  tenant: TenantContext,
  { definition, unbought }: { readonly definition: PointDefinition; readonly unbought: number },
  { sku, quantity }: LineItem,
  { createdDate }: ReceiptRow,
): void {
  const returned = `of ${Math.abs(quantity)} returned of sku ${sku ?? '(none)'}, ${unbought} match no purchase of the contact up to ${createdDate}`;
  tenant.warn('return-unmatched', `${returned} known to point definition ${definition.id}; they take no points`);
}

/** Promotions that were used on the receipt give their points on top: once, for the first definition that earns. */
function awardBonuses(tenant: TenantContext, { receipt, contactId }: Purchase, definition: PointDefinition): void {
  if (receipt.usedPromotions.length === 0) return;
  for (const { key } of tenant.list(promotionAssignments, 'byContact', contactId)) {
    const assignment = tenant.get(promotionAssignments, key);
    const promotion = assignment?.receiptId === receipt.id && tenant.get(promotions, assignment.promotionId);
    if (!promotion || !promotion.bonusPoints) continue;
    const account = getOrCreatePointAccount(tenant, contactId, definition.id);
    const { id: lotId } = recordPurchase(tenant, account, {
      gross: promotion.bonusPoints,
      transactionDate: receipt.createdDate,
      validFrom: toTimestamp(activationOf(tenant, receipt, definition)),
      source: 'BonusPromotion',
      description: promotion.name,
    });
    const gave = { gave: promotion.bonusPoints, deducted: 0, expired: 0, returned: 0 };
    tenant.put(pointBonuses, {
      lotId,
      accountId: account.id,
      receiptId: receipt.id,
      description: promotion.name,
      ...gave,
    });
  }
}
