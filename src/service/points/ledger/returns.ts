/** Takes the points of returned lines back, and those of promotions that came on top. */
import type { TenantContext } from '../../../core/tenant/context.ts';
import type { OrderedList } from '../../../core/state/ordered-list.ts';
import { roundAmount } from '../../receipts/amounts.ts';
import type { LineItem, ReceiptRow } from '../../receipts/tables.ts';
import { recordReturn } from './ledger.ts';
import {
  articleKey,
  bonusKey,
  parseInstant,
  pointAwards,
  pointBonuses,
  pointLots,
  pricedArticleKey,
} from '../tables.ts';
import type { PointAccount, PointAward } from '../tables.ts';

interface Returned {
  readonly receipt: ReceiptRow;
  readonly account: PointAccount;
}

/** Returns what was paid for one piece, in the currency of the receipt. */
export const unitPriceOf = ({ currency }: ReceiptRow, { grossPaidPrice, quantity }: LineItem): string =>
  `${roundAmount(Math.abs(grossPaidPrice / (quantity || 1)))} ${currency}`;

/**
 * Takes what the bought lines gave that a return gives back: in proportion, never more than they gave. Answers how
 * many of the articles nobody bought.
 */
export function deductReturned(tenant: TenantContext, { receipt, account }: Returned, line: LineItem): number {
  let left = Math.abs(line.quantity);
  while (left > 0) {
    const award = nextReturnable(tenant, { receipt, account }, line);
    if (!award) break;
    const quantity = Math.min(left, award.quantity - award.returned);
    giveBack(tenant, account, { award, quantity, line, receipt });
    left = quantity >= left ? 0 : left - quantity;
  }
  return roundAmount(left, 6);
}

/** Returns the purchase that a return is of: one of its own receipt only if there is no other. */
function nextReturnable(tenant: TenantContext, { receipt, account }: Returned, line: LineItem): PointAward | undefined {
  if (line.sku === null) return undefined;
  const all = tenant.list(pointAwards, 'returnable', articleKey(account.id, line.sku));
  const [order, own] = [parseInstant(receipt.createdDate), receipt.number];
  const at = (list: OrderedList, place: number): PointAward | undefined =>
    place < 0 ? undefined : tenant.get(pointAwards, list.page(place, 1)[0] ?? '');
  const lastBefore = (list: OrderedList, tie: number): PointAward | undefined =>
    at(list, list.countBefore({ key: '', order, tie }) - 1);
  switch (tenant.assumption('A-61')) {
    case 'latest': {
      const latest = at(all, all.size - 1);
      return latest?.receiptId === receipt.id ? (lastBefore(all, own) ?? latest) : latest;
    }
    case 'oldest': {
      const oldest = at(all, 0);
      return oldest && oldest.boughtOn <= order ? oldest : undefined;
    }
    default: {
      const priced = pricedArticleKey(account.id, line.sku, unitPriceOf(receipt, line));
      const samePrice = tenant.list(pointAwards, 'samePrice', priced);
      const earlier = lastBefore(samePrice, own) ?? lastBefore(all, own);
      return earlier ?? lastBefore(samePrice, own + 1) ?? lastBefore(all, own + 1);
    }
  }
}

interface GivingBack {
  readonly award: PointAward;
  readonly quantity: number;
  readonly line: LineItem;
  readonly receipt: ReceiptRow;
}

function giveBack(tenant: TenantContext, account: PointAccount, { award, quantity, line, receipt }: GivingBack): void {
  const isAll = quantity >= award.quantity - award.returned;
  const returned = isAll ? award.quantity : award.returned + quantity;
  const deducted = deductedAfter(tenant, award, returned / award.quantity);
  tenant.put(pointAwards, { ...award, returned, deducted });
  const entry = {
    type: 'Deduction',
    source: 'Return',
    description: '@@(Bonus.DeductionForReturn)',
    transactionDate: receipt.createdDate,
    retailTransactionLineItemId: line.id,
  } as const;
  deduct(tenant, account, award, { ...entry, amount: award.deducted - deducted });
  const share = (award.share * quantity) / award.quantity;
  for (const bonus of tenant.listRows(pointBonuses, 'byReceipt', bonusKey(account.id, award.receiptId))) {
    if (tenant.assumption('A-63') === 'keep') return;
    const after = { ...bonus, returned: bonus.returned + share };
    const taken = deductedAfter(tenant, bonus, after.returned);
    tenant.put(pointBonuses, { ...after, deducted: taken });
    const { description, deducted: before } = bonus;
    deduct(tenant, account, bonus, { ...entry, source: 'BonusPromotionReturn', description, amount: before - taken });
  }
}

/** Holds points that a receipt gave, and what became of them. */
type Given = Pick<PointAward, 'gave' | 'deducted' | 'expired' | 'lotId'>;

/** Returns how many points are deducted in all once such a part of what was bought is returned: never fewer than before. */
const deductedAfter = (tenant: TenantContext, given: Given, part: number): number =>
  Math.max(given.deducted, Math.floor(owedFor(tenant, given) * part + 1e-6));

/** Returns how many points are owed when all of a purchase is returned. */
function owedFor(tenant: TenantContext, { gave, expired, lotId }: Given): number {
  if (tenant.assumption('A-62') === 'deduct') return gave;
  const lot = tenant.get(pointLots, lotId ?? '');
  const isOver = lot !== undefined && lot.expiresAt !== null && lot.expiresAt <= tenant.now();
  return gave - expired - (isOver ? lot.left : 0);
}

function deduct(
  tenant: TenantContext,
  account: PointAccount,
  { lotId }: Given,
  entry: Parameters<typeof recordReturn>[3],
): void {
  if (entry.amount !== 0) recordReturn(tenant, account, tenant.get(pointLots, lotId ?? ''), entry);
}
