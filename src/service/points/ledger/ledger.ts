/**
 * Adds and deducts points. A deduction lowers the balance and then uses up the active lots that expire first; an
 * overdrawn account pays its debt from the lots that become active next.
 */
import { toTimestamp } from '../../../core/time/clock.ts';
import type { TenantContext } from '../../../core/tenant/context.ts';
import { finish } from '../../../core/time/steps.ts';
import type { Steps } from '../../../core/time/steps.ts';
import { addRetailerMonths, retailerOf } from '../../retailer/operations.ts';
import { issueVoucher } from '../../vouchers/operations.ts';
import { balanceOf, roundPointAmount, outstandingDebt } from './balance.ts';
import { expiryByAge, inactivityExpiryOf, ledgerViewOf, nextChangeAt, settleTimer, settleTimerKey } from './expiry.ts';
import type { PointLedgerView } from './expiry.ts';
import { isPointFollower, pointsExpireHere } from '../point-follower.ts';
import {
  awardKey,
  parseInstant,
  pointAccounts,
  pointAwards,
  pointBonuses,
  pointLots,
  pointTransactions,
} from '../tables.ts';
import type { PointAccount, PointLot, PointTransaction } from '../tables.ts';
import { pointDefinitions } from '../definitions.ts';
import type { PointDefinition } from '../definitions.ts';
import { isPointSystemActive } from '../points-enabled.ts';

/** Holds what a caller says of a transaction; the rest follows from its account, its definition and the clock. */
export type PointEntry = Pick<PointTransaction, 'amount' | 'type' | 'source' | 'description'> &
  Partial<
    Pick<
      PointTransaction,
      'transactionDate' | 'validFrom' | 'validTo' | 'transactionId' | 'isRepeat' | 'retailTransactionLineItemId'
    >
  >;

/** More vouchers than these are not made at one go: a threshold of 1 point would make millions. */
const maxVouchersAtOnce = 1000;

export function definitionOfAccount(tenant: TenantContext, { definitionId }: PointAccount): PointDefinition {
  const definition = tenant.get(pointDefinitions, String(definitionId));
  if (!definition) throw new Error(`point definition ${definitionId} is gone`);
  return definition;
}

/** Adds a transaction to an account, with all that follows from it at once. */
export function recordTransaction(tenant: TenantContext, account: PointAccount, entry: PointEntry): PointTransaction {
  const transaction = appendTransactionWithLot(tenant, account, entry);
  settle(tenant, account);
  return transaction;
}

interface PurchaseEntry {
  /** Holds the points of the purchase without its discounts, and what they take of it. */
  readonly gross: number;
  readonly discount?: number;
  /** Says when it was bought. */
  readonly transactionDate: string;
  readonly validFrom: string;
  readonly lineId?: string;
  readonly source?: string;
  readonly description?: string;
}

/** Adds what a purchase gives; `settle` is left to the end of the receipt. */
export function recordPurchase(tenant: TenantContext, account: PointAccount, entry: PurchaseEntry): PointTransaction {
  const { gross, discount = 0, transactionDate, validFrom, lineId = null } = entry;
  const { source = 'Purchase', description = '@@(Bonus.Points)' } = entry;
  const added = appendTransactionWithLot(tenant, account, {
    amount: gross,
    type: 'Addition',
    source,
    description,
    transactionDate,
    validFrom,
    retailTransactionLineItemId: lineId,
  });
  const lot = discount > 0 ? tenant.get(pointLots, added.id) : undefined;
  if (lot) {
    appendTransaction(tenant, account, {
      amount: -discount,
      type: 'Deduction',
      source,
      description: '@@(Bonus.DeductionForDiscount)',
      transactionDate,
      validFrom: added.validFrom,
      retailTransactionLineItemId: lineId,
    });
    keepOf(tenant, lot, lot.left - discount);
  }
  return added;
}

function appendTransactionWithLot(tenant: TenantContext, account: PointAccount, entry: PointEntry): PointTransaction {
  const definition = definitionOfAccount(tenant, account);
  const isTooEarly = !definition.pendingPointsActive && parseInstant(entry.validFrom ?? '') > tenant.now();
  const validFrom = isTooEarly ? null : (entry.validFrom ?? null);
  const start = validFrom === null ? tenant.now() : parseInstant(validFrom);
  const isGain = entry.amount > 0;
  const expires = pointsExpireHere(tenant);
  const validTo =
    entry.validTo ?? (isGain && expires ? expiryByAge(definition, start, retailerOf(tenant).timeZone) : null);
  const transaction = appendTransaction(tenant, account, entry, { validFrom, validTo });
  if (!isGain) return transaction;
  const { id, number, accountId, amount: left } = transaction;
  const expiresAt = validTo === null || !expires ? null : parseInstant(validTo);
  tenant.put(pointLots, { id, number, accountId, left, activeFrom: Math.max(start, tenant.now()), expiresAt });
  return transaction;
}

/** Takes what a return gives back, first from the points of its purchase; `settle` is left to the end of the receipt. */
export function recordReturn(
  tenant: TenantContext,
  account: PointAccount,
  own: PointLot | undefined,
  entry: Omit<PointEntry, 'validFrom' | 'validTo'>,
): void {
  const isPending = own !== undefined && own.activeFrom > tenant.now() && own.left >= -entry.amount;
  appendTransaction(tenant, account, entry, isPending ? { validFrom: toTimestamp(own.activeFrom) } : {});
  if (own && (isPending || own.activeFrom <= tenant.now())) keepOf(tenant, own, own.left + entry.amount);
}

/** Does what has come due in an account; called after whatever changes it, and at the moments planned here. */
export const settle = (tenant: TenantContext, account: PointAccount): void => finish(settleInSteps(tenant, account));

/** Does the same lot by lot: a receipt may have brought thousands. */
export function* settleInSteps(tenant: TenantContext, account: PointAccount): Steps {
  const definition = definitionOfAccount(tenant, account);
  const debt = outstandingDebt(tenant, account.id, tenant.now());
  if (debt > 0) yield* takeOwed(tenant, account, debt);
  const view = ledgerViewOf(tenant);
  const lots = expiredLots(view, account, definition);
  if (lots.length > 0) yield* expire(tenant, account, lots);
  if (convertToVouchers(tenant, account, definition) > 0) {
    const rest = outstandingDebt(tenant, account.id, tenant.now());
    if (rest > 0) yield* takeOwed(tenant, account, rest);
  }
  const dueAt = nextChangeAt(view, account, definition);
  if (dueAt === undefined) tenant.cancelTimer(settleTimerKey(account));
  else tenant.scheduleTimer(settleTimer(account, dueAt));
}

/** Does the work of a timer. */
export function settleAccount(tenant: TenantContext, { accountId }: { readonly accountId: string }): void {
  const account = tenant.get(pointAccounts, accountId);
  if (account) settle(tenant, account);
}

/** Turns as many points into vouchers as the threshold goes into the balance; returns how many were made. */
export function convertToVouchers(
  tenant: TenantContext,
  account: PointAccount,
  { rewardVoucher }: PointDefinition,
): number {
  if (!rewardVoucher || isPointFollower(tenant) || !isPointSystemActive(tenant)) return 0;
  const { threshold, value, currency, validMonths } = rewardVoucher;
  const possible = Math.floor(balanceOf(tenant, account.id, tenant.now()) / threshold);
  const made = Math.max(0, Math.min(possible, maxVouchersAtOnce));
  if (possible > made) {
    const message = `the points go for ${possible} vouchers of ${threshold} points, and ${made} are made at one go`;
    tenant.warn('vouchers-left', `${message}; the others follow when the account next changes`);
  }
  for (let i = 0; i < made; i++) {
    const description = '@@(ConvertedToBonusCheck)';
    appendTransaction(tenant, account, { amount: -threshold, type: 'Deduction', source: 'RewardVoucher', description });
    const expiresOn = toTimestamp(addRetailerMonths(tenant, tenant.now(), validMonths));
    issueVoucher(tenant, { contactId: account.contactId, value, currency, expiresOn });
  }
  return made;
}

function appendTransaction(
  tenant: TenantContext,
  account: PointAccount,
  entry: PointEntry,
  { validFrom = null, validTo = null }: Pick<PointEntry, 'validFrom' | 'validTo'> = entry,
): PointTransaction {
  const createdOn = toTimestamp(tenant.now());
  return tenant.put(pointTransactions, {
    id: tenant.newId(),
    number: tenant.next('pointTransaction'),
    accountId: account.id,
    transactionId: entry.transactionId ?? null,
    isRepeat: entry.isRepeat ?? false,
    amount: entry.amount,
    type: entry.type,
    source: entry.source,
    description: entry.description,
    transactionDate: entry.transactionDate ?? createdOn,
    createdOn,
    modifiedOn: createdOn,
    validFrom,
    validTo,
    retailTransactionLineItemId: entry.retailTransactionLineItemId ?? null,
  });
}

/** Yields the active lots of an account, those that expire first in front; of those that expire together the oldest. */
function* activeLots(tenant: TenantContext, account: PointAccount): Generator<PointLot> {
  for (const { key } of tenant.list(pointLots, 'expiry', account.id)) {
    const lot = tenant.get(pointLots, key);
    if (lot && lot.activeFrom <= tenant.now()) yield lot;
  }
}

function* takeOwed(tenant: TenantContext, account: PointAccount, debt: number): Steps {
  let owed = debt;
  for (const lot of activeLots(tenant, account)) {
    // What was over when it came pays no debt.
    if (lot.expiresAt !== null && lot.expiresAt <= lot.activeFrom) continue;
    const taken = Math.min(owed, lot.left);
    keepOf(tenant, lot, lot.left - taken);
    owed = roundPointAmount(owed - taken);
    if (owed === 0) return;
    yield;
  }
}

function keepOf(tenant: TenantContext, lot: PointLot, left: number): void {
  if (roundPointAmount(left) > 0) tenant.put(pointLots, { ...lot, left: roundPointAmount(left) });
  else tenant.remove(pointLots, lot.id);
}

const none: readonly string[] = [];

/** Returns the lots that are over at this very moment, those that expire first in front; pending ones may be among them. */
function expiredLots(view: PointLedgerView, account: PointAccount, definition: PointDefinition): readonly string[] {
  if (!view.expires) return none;
  const now = view.now();
  const isInactive = (inactivityExpiryOf(view, account, definition) ?? now + 1) <= now;
  const lots = view.peek(pointLots, 'expiry', account.id);
  const first = lots.first();
  if (!first || (!isInactive && first.order > now)) return none;
  return lots.page(0, isInactive ? lots.size : lots.countBelow(now + 1));
}

/** Takes what is left of lots that are over. */
function* expire(tenant: TenantContext, account: PointAccount, lots: readonly string[]): Steps {
  let expired = 0;
  for (const id of lots) {
    const lot = tenant.get(pointLots, id);
    if (!lot || lot.activeFrom > tenant.now()) continue;
    expired += lot.left;
    tenant.remove(pointLots, lot.id);
    noteExpired(tenant, lot);
    yield;
  }
  if (expired === 0) return;
  const description = '@@(RemovedDueToTimeLimit)';
  appendTransaction(tenant, account, {
    amount: -roundPointAmount(expired),
    type: 'Expiry',
    source: 'Automation',
    description,
  });
}

/** Keeps how many points of a purchase expired, for the day it is returned. */
function noteExpired(tenant: TenantContext, { id, accountId, left }: PointLot): void {
  // Only bought lines have awards: where nothing was bought, the transaction need not be looked up.
  const transaction = tenant.count(pointAwards) > 0 ? tenant.get(pointTransactions, id) : undefined;
  const lineId = transaction?.retailTransactionLineItemId ?? null;
  const award = lineId === null ? undefined : tenant.get(pointAwards, awardKey(accountId, lineId));
  if (award?.lotId === id) tenant.put(pointAwards, { ...award, expired: roundPointAmount(award.expired + left) });
  const bonus = tenant.get(pointBonuses, id);
  if (bonus) tenant.put(pointBonuses, { ...bonus, expired: roundPointAmount(bonus.expired + left) });
}
