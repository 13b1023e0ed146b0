/** Checkpoints that follow from receipts, where the definition says so. */
import type { Tenant } from '../../core/tenant.ts';
import { rounded } from '../receipts/amounts.ts';
import type { ReceiptRow } from '../receipts/row.ts';
import { addCheckpoints } from './checkpoints.ts';
import { heldBy } from './lookup.ts';
import { statusOf } from './progress.ts';
import type { ChallengeDefinition } from './schema.ts';

type Rule = ChallengeDefinition['checkpointAssignOn'];

/** The purchases of a receipt, in group currency; what was returned or adjusted earns nothing. */
interface Purchases {
  readonly total: number;
  readonly quantity: number;
  readonly lineTotals: readonly number[];
}

/** how many checkpoints a receipt earns, by the definition's checkpointAssignOnAmount. */
const earned: Readonly<Record<Rule, (purchases: Purchases, amount: number) => number>> = {
  None: () => 0,
  ReceiptTotal: ({ total }, amount) => Number(total >= amount),
  // What is left over does not count towards the next receipt.
  ReceiptLineQuantity: ({ quantity }, amount) => Math.floor(quantity / Math.max(1, amount)),
  ReceiptLineTotal: ({ lineTotals }, amount) => lineTotals.filter((total) => total >= amount).length,
};

/** Adds what a receipt earns to the active challenges of its contact, at the moment the receipt is recorded. */
export function awardForReceipt(tenant: Tenant, receipt: ReceiptRow): void {
  if (receipt.contactId === null) return;
  const challenges = heldBy(tenant, receipt.contactId);
  if (challenges.length === 0) return;
  const purchases = purchasesOf(receipt);
  if (purchases.lineTotals.length === 0) return;
  for (const held of challenges) {
    const { checkpointAssignOn, checkpointAssignOnAmount } = held.definition;
    if (checkpointAssignOn !== 'None') tenant.assumption('A-60');
    const checkpoints = earned[checkpointAssignOn](purchases, checkpointAssignOnAmount);
    if (checkpoints > 0 && statusOf(held, tenant.now()) === 'Active') addCheckpoints(tenant, held, checkpoints);
  }
}

function purchasesOf({ items, totalGrossPrice, exchangeRate }: ReceiptRow): Purchases {
  const bought = items.filter(({ type }) => type === 'PURCHASE');
  return {
    total: rounded(totalGrossPrice * exchangeRate),
    quantity: rounded(
      bought.reduce((sum, { quantity }) => sum + quantity, 0),
      6,
    ),
    lineTotals: bought.map(({ grossPaidPrice }) => rounded(grossPaidPrice * exchangeRate)),
  };
}
