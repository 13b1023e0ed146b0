/** Adds one transaction at a time: what callers add, and what happens inside the service. */
import type { TenantContext } from '../../core/tenant/context.ts';
import { getContact } from '../contacts/lookup.ts';
import { invalidFieldError, apiError } from '../errors/catalog.ts';
import { getPointAccount, findPointDefinition, getOrCreatePointAccount } from './lookup.ts';
import { balanceOf } from './ledger/balance.ts';
import { isPointFollower, enqueueAdjustment } from './point-follower.ts';
import type { PointAdjustment } from './point-follower.ts';
import { convertToVouchers, definitionOfAccount, recordTransaction, settle } from './ledger/ledger.ts';
import { pointTransactions } from './tables.ts';
import type { PointAccount, PointTransaction } from './tables.ts';
import { pointDefinitions } from './definitions.ts';
import type { PointDefinition } from './definitions.ts';
import { withTypeSign, signError, transactionTypeOf } from './ledger/transaction-sign.ts';
import { requirePointSystem } from './points-enabled.ts';
import { validityError, warnOfValidTo, withoutIgnoredValidFrom } from './ledger/validity.ts';
import type { PointTransactionBody } from './schema.ts';

/**
 * Adds a transaction to an account. Throws `NewPointSystemNotActive`, `PointAccountNotFound`, a validation error, or
 * `PointTransactionExists`.
 */
export function addTransaction(tenant: TenantContext, body: PointTransactionBody): PointTransaction {
  requirePointSystem(tenant);
  const account = getPointAccount(tenant, String(body.accountId));
  const transactionId = String(body.transactionId);
  const earlier = tenant.find(pointTransactions, 'transactionId', transactionId);
  const earlierResponse = earlier && repeated(tenant, earlier, body);
  if (earlierResponse) return earlierResponse;
  const { type, amount } = readAmount(tenant, body);
  const counted = withoutIgnoredValidFrom(tenant, body);
  const wrongEnd = validityError(counted);
  if (wrongEnd !== undefined) throw invalidFieldError('validTo', wrongEnd);
  warnOfValidTo(tenant, counted, amount);
  warnOfInactivity(tenant, account, body);
  const { description = null, source, transactionDate, validFrom, validTo } = counted;
  return recordTransaction(tenant, account, {
    amount,
    type,
    source: source || 'Adjustment',
    description,
    ...(transactionDate && { transactionDate }),
    ...(validFrom && { validFrom }),
    ...(validTo && { validTo }),
    transactionId,
    isRepeat: earlier !== undefined,
  });
}

/** Returns the amount with its sign, and the type. Throws a validation error where refuse them. */
function readAmount(
  tenant: TenantContext,
  { amount: sent, transactionType }: PointTransactionBody,
): Pick<PointTransaction, 'type' | 'amount'> {
  if (typeof sent !== 'number') {
    if (tenant.assumption('A-68') === 'required') throw invalidFieldError('amount', 'is required');
    tenant.warn('amount-missing', 'amount is missing, so the transaction adds 0 points');
  }
  const type = transactionType ?? transactionTypeOf(sent ?? 0);
  const amount = withTypeSign(type, sent ?? 0);
  const reason = signError(type, amount);
  if (reason === undefined) return { type, amount };
  if (tenant.assumption('A-69') === 'refuse') {
    throw invalidFieldError('amount', `${reason}; to take points, send the transactionType Deduction`);
  }
  tenant.warn('wrong-sign', `amount is ${amount} for an ${type}; it takes points, and is recorded as a Deduction`);
  return { type: 'Deduction', amount };
}

/** Returns the response to a transactionId that is there already; undefined when it is to be added again. */
function repeated(
  tenant: TenantContext,
  earlier: PointTransaction,
  body: PointTransactionBody,
): PointTransaction | undefined {
  const variant = tenant.assumption('A-42');
  if (variant === 'twice') return undefined;
  const since = `the transactionId "${earlier.transactionId}" was used for ${earlier.id} on ${earlier.createdOn} already`;
  if (variant === 'conflict') throw apiError('PointTransactionExists', { message: `Nothing is added: ${since}.` });
  const isOther = Math.abs(body.amount ?? 0) !== Math.abs(earlier.amount);
  const difference = isOther ? `; its amount was ${earlier.amount}, not ${body.amount ?? 'absent'}` : '';
  const response = 'the response is the same as then, and nothing is added again';
  tenant.warn('repeated-transaction', `${since}; ${response}${difference}`);
  return earlier;
}

function warnOfInactivity(
  tenant: TenantContext,
  account: PointAccount,
  { expireAfterMonthsInactive }: PointTransactionBody,
): void {
  if (typeof expireAfterMonthsInactive !== 'number') return;
  const { id, expiry } = definitionOfAccount(tenant, account);
  if (expiry.method === 'contactInactive' && expiry.months === expireAfterMonthsInactive) return;
  const setting = expiry.method === 'none' ? expiry.method : `${expiry.method} after ${expiry.months} months`;
  const message = `expireAfterMonthsInactive ${expireAfterMonthsInactive} is passed over: point definition ${id} says ${setting}`;
  tenant.warn('expiry-setting', message);
}

/**
 * Adds or takes points by hand or by an automation: active at once, or sent to the point master in point-follower
 * mode. Throws `NewPointSystemNotActive`, `ContactNotFound` or `PointDefinitionNotFound`.
 */
export function adjustPoints(tenant: TenantContext, adjustment: PointAdjustment): void {
  requirePointSystem(tenant);
  const { amount, description, by } = adjustment;
  const { id: contactId } = getContact(tenant, adjustment.contactId);
  const { id: definitionId } = getPointDefinition(tenant, adjustment.definitionId);
  if (isPointFollower(tenant)) {
    enqueueAdjustment(tenant, { ...adjustment, contactId, definitionId });
    return;
  }
  const source = by === 'manual' ? 'Manual' : 'Automation';
  recordTransaction(tenant, getOrCreatePointAccount(tenant, contactId, definitionId), {
    amount,
    type: transactionTypeOf(amount),
    source,
    description,
  });
}

/** Turns points into reward vouchers now. Throws `NewPointSystemNotActive`, or `Conflict` when they don't reach the threshold. */
export function convertPoints(
  tenant: TenantContext,
  { contactId, definitionId }: Pick<PointAdjustment, 'contactId' | 'definitionId'>,
): void {
  requirePointSystem(tenant);
  const definition = getPointDefinition(tenant, definitionId);
  const account = getOrCreatePointAccount(tenant, getContact(tenant, contactId).id, definition.id);
  const made = convertToVouchers(tenant, account, definition);
  settle(tenant, account);
  if (made > 0) return;
  throw apiError('Conflict', { message: `No points are converted: ${whyNotConverted(tenant, account, definition)}.` });
}

function whyNotConverted(tenant: TenantContext, account: PointAccount, { id, rewardVoucher }: PointDefinition): string {
  if (isPointFollower(tenant)) return 'in point-follower mode points become no vouchers';
  if (!rewardVoucher) return `point definition ${id} makes no vouchers`;
  const balance = balanceOf(tenant, account.id, tenant.now());
  return `the balance is ${balance} and a voucher costs ${rewardVoucher.threshold}`;
}

/** Lets points of a definition be pending from now on, or not; points that are there stay as they are. */
export function switchPendingPoints(tenant: TenantContext, definitionId: string | number, isActive: boolean): void {
  const definition = getPointDefinition(tenant, definitionId);
  tenant.put(pointDefinitions, { ...definition, pendingPointsActive: isActive });
}

/** Throws `PointDefinitionNotFound`. */
export function getPointDefinition(tenant: TenantContext, id: string | number): PointDefinition {
  const definition = findPointDefinition(tenant, id);
  if (definition) return definition;
  const known = [...tenant.all(pointDefinitions)].map((other) => other.id).toSorted((a, b) => a - b);
  const message = `No point definition has the id ${id}; there are ${known.join(', ') || 'none'}.`;
  throw apiError('PointDefinitionNotFound', { message });
}
