/** Adds the checkpoints that follow from receipts, where the definition says so. */
import type { TenantContext } from '../../core/tenant/context.ts';
import { roundAmount } from '../receipts/amounts.ts';
import type { ReceiptRow } from '../receipts/tables.ts';
import { addCheckpoints } from './checkpoints.ts';
import { listAssignedChallenges } from './lookup.ts';
import { challengeStatusOf } from './progress.ts';
import type { ChallengeDefinition } from './schema.ts';

type CheckpointRule = ChallengeDefinition['checkpointAssignOn'];

/** Describes the purchases of a receipt, in group currency; what was returned or adjusted earns nothing. */
interface Purchases {
  readonly total: number;
  readonly quantity: number;
  readonly lineTotals: readonly number[];
}

/** Counts the checkpoints that a receipt earns, by the definition's checkpointAssignOnAmount. */
const checkpointsEarned: Readonly<Record<CheckpointRule, (purchases: Purchases, amount: number) => number>> = {
  None: () => 0,
  ReceiptTotal: ({ total }, amount) => Number(total >= amount),
  // What is left over does not count towards the next receipt.
  ReceiptLineQuantity: ({ quantity }, amount) => Math.floor(quantity / Math.max(1, amount)),
  ReceiptLineTotal: ({ lineTotals }, amount) => lineTotals.filter((total) => total >= amount).length,
};

/** Adds what a receipt earns to the active challenges of its contact, at the moment the receipt is recorded. */
export function awardReceiptCheckpoints(tenant: TenantContext, receipt: ReceiptRow): void {
  if (receipt.contactId === null) return;
  const challenges = listAssignedChallenges(tenant, receipt.contactId);
  if (challenges.length === 0) return;
  const purchases = purchasesOf(receipt);
  if (purchases.lineTotals.length === 0) return;
  for (const held of challenges) {
    const { checkpointAssignOn, checkpointAssignOnAmount } = held.definition;
    if (checkpointAssignOn !== 'None') tenant.assumption('A-60');
    const checkpoints = checkpointsEarned[checkpointAssignOn](purchases, checkpointAssignOnAmount);
    if (checkpoints > 0 && challengeStatusOf(held, tenant.now()) === 'Active')
      addCheckpoints(tenant, held, checkpoints);
  }
}

function purchasesOf({ items, totalGrossPrice, exchangeRate }: ReceiptRow): Purchases {
  const bought = items.filter(({ type }) => type === 'PURCHASE');
  return {
    total: roundAmount(totalGrossPrice * exchangeRate),
    quantity: roundAmount(
      bought.reduce((sum, { quantity }) => sum + quantity, 0),
      6,
    ),
    lineTotals: bought.map(({ grossPaidPrice }) => roundAmount(grossPaidPrice * exchangeRate)),
  };
}
