/** Takes the points of returned lines back. */
import type { TenantContext } from '../../../core/tenant/context.ts';
import type { LineItem, ReceiptRow } from '../../receipts/tables.ts';
import { recordReturn } from './ledger.ts';
import { articleKey, pointAwards, pointLots } from '../tables.ts';
import type { PointAccount, PointAward } from '../tables.ts';

interface Returned {
  readonly receipt: ReceiptRow;
  readonly account: PointAccount;
}

/**
 * Takes what the bought lines gave that a return gives back: the latest first, in proportion, never more than they
 * gave. Answers how many of the articles nobody bought.
 */
export function deductReturned(tenant: TenantContext, { receipt, account }: Returned, line: LineItem): number {
  let left = Math.abs(line.quantity);
  for (const award of line.sku === null ? [] : candidates(tenant, account, line.sku, receipt.id)) {
    const quantity = Math.min(left, award.quantity - award.returned);
    giveBack(tenant, account, { award, quantity, line, receipt });
    left -= quantity;
    if (left <= 0) return 0;
  }
  return left;
}

/** Purchases of an article that were not fully returned, the latest first, but last those of the same receipt. */
function* candidates(
  tenant: TenantContext,
  account: PointAccount,
  sku: string,
  receiptId: string,
): Generator<PointAward> {
  const list = tenant.list(pointAwards, 'returnable', articleKey(account.id, sku));
  const together: PointAward[] = [];
  for (let offset = 0; offset < list.size; offset++) {
    const award = tenant.get(pointAwards, list.page(offset, 1, 'descending')[0] ?? '');
    if (award?.receiptId === receiptId) together.push(award);
    else if (award) yield award;
  }
  yield* together;
}

interface GivingBack {
  readonly award: PointAward;
  readonly quantity: number;
  readonly line: LineItem;
  readonly receipt: ReceiptRow;
}

function giveBack(tenant: TenantContext, account: PointAccount, { award, quantity, line, receipt }: GivingBack): void {
  const returned = award.returned + quantity;
  const deducted = Math.floor((award.gave * returned) / award.quantity + 1e-6);
  tenant.put(pointAwards, { ...award, returned, deducted });
  const amount = award.deducted - deducted;
  if (amount === 0) return;
  const lot = tenant.get(pointLots, award.lotId ?? '');
  const isPending = lot !== undefined && lot.activeFrom > tenant.now() && lot.left >= -amount;
  recordReturn(tenant, account, isPending ? lot : undefined, {
    amount,
    type: 'Deduction',
    source: 'Return',
    description: '@@(Bonus.DeductionForReturn)',
    transactionDate: receipt.createdDate,
    retailTransactionLineItemId: line.id,
  });
}
