/** One transaction at a time: what callers add, and what happens inside the service. */
import type { Tenant } from '../../core/tenant.ts';
import { contactOf } from '../contacts/lookup.ts';
import { invalidField, refusal } from '../refusals.ts';
import { accountOf, findDefinition, obtainAccount } from './accounts.ts';
import { balanceOf } from './balance.ts';
import { isPointFollower, sendAdjustment } from './follower.ts';
import type { Adjustment } from './follower.ts';
import { convert, definitionOf, record, settle } from './ledger.ts';
import { pointTransactions } from './rows.ts';
import type { PointAccount, PointTransaction } from './rows.ts';
import { pointDefinitions } from './schema.ts';
import type { PointDefinition } from './schema.ts';
import { signed, signFault, typeOf } from './signs.ts';
import { requirePointSystem } from './system.ts';
import { validityFault, warnOfEnd, withoutIgnored } from './validity.ts';
import type { TransactionBody } from './wire.ts';

/**
 * Adds a transaction to an account. Throws `NewPointSystemNotActive`, `PointAccountNotFound`, a validation error, or
 * `PointTransactionExists`.
 */
export function addTransaction(tenant: Tenant, body: TransactionBody): PointTransaction {
  requirePointSystem(tenant);
  const account = accountOf(tenant, String(body.accountId));
  const transactionId = String(body.transactionId);
  const earlier = tenant.find(pointTransactions, 'transactionId', transactionId);
  const answered = earlier && repeated(tenant, earlier, body);
  if (answered) return answered;
  const type = body.transactionType ?? typeOf(body.amount);
  const amount = signed(type, body.amount);
  const fault = signFault(type, amount);
  if (fault !== undefined) throw invalidField('amount', `${fault}; to take points, send the transactionType Deduction`);
  const counted = withoutIgnored(tenant, body);
  const wrongEnd = validityFault(counted);
  if (wrongEnd !== undefined) throw invalidField('validTo', wrongEnd);
  warnOfEnd(tenant, counted, amount);
  warnOfInactivity(tenant, account, body);
  const { description = null, source, transactionDate, validFrom, validTo } = counted;
  return record(tenant, account, {
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

/** what a transactionId that is there already is answered with; undefined when it is to be added again. */
function repeated(tenant: Tenant, earlier: PointTransaction, body: TransactionBody): PointTransaction | undefined {
  const variant = tenant.assumption('A-42');
  if (variant === 'twice') return undefined;
  const since = `the transactionId "${earlier.transactionId}" was used for ${earlier.id} on ${earlier.createdOn} already`;
  if (variant === 'conflict') throw refusal('PointTransactionExists', { message: `Nothing is added: ${since}.` });
  const isOther = Math.abs(body.amount) !== Math.abs(earlier.amount);
  const difference = isOther ? `; its amount was ${earlier.amount}, not ${body.amount}` : '';
  tenant.warn('repeated-transaction', `${since}; it is answered as then and not added again${difference}`);
  return earlier;
}

function warnOfInactivity(tenant: Tenant, account: PointAccount, { expireAfterMonthsInactive }: TransactionBody): void {
  if (typeof expireAfterMonthsInactive !== 'number') return;
  const { id, expiry } = definitionOf(tenant, account);
  if (expiry.method === 'contactInactive' && expiry.months === expireAfterMonthsInactive) return;
  const setting = expiry.method === 'none' ? expiry.method : `${expiry.method} after ${expiry.months} months`;
  const message = `expireAfterMonthsInactive ${expireAfterMonthsInactive} is passed over: point definition ${id} says ${setting}`;
  tenant.warn('expiry-setting', message);
}

/**
 * Adds or takes points by hand or by an automation: active at once, or told to the point master in point-follower
 * mode. Throws `NewPointSystemNotActive`, `ContactNotFound` or `PointDefinitionNotFound`.
 */
export function adjustPoints(tenant: Tenant, adjustment: Adjustment): void {
  requirePointSystem(tenant);
  const { amount, description, by } = adjustment;
  const { id: contactId } = contactOf(tenant, adjustment.contactId);
  const { id: definitionId } = definitionNamed(tenant, adjustment.definitionId);
  if (isPointFollower(tenant)) {
    sendAdjustment(tenant, { ...adjustment, contactId, definitionId });
    return;
  }
  const source = by === 'manual' ? 'Manual' : 'Automation';
  record(tenant, obtainAccount(tenant, contactId, definitionId), { amount, type: typeOf(amount), source, description });
}

/** Turns points into reward vouchers now. Throws `NewPointSystemNotActive`, or `Conflict` when they don't reach the threshold. */
export function convertPoints(
  tenant: Tenant,
  { contactId, definitionId }: Pick<Adjustment, 'contactId' | 'definitionId'>,
): void {
  requirePointSystem(tenant);
  const definition = definitionNamed(tenant, definitionId);
  const account = obtainAccount(tenant, contactOf(tenant, contactId).id, definition.id);
  const made = convert(tenant, account, definition);
  settle(tenant, account);
  if (made > 0) return;
  throw refusal('Conflict', { message: `No points are converted: ${whyNotConverted(tenant, account, definition)}.` });
}

function whyNotConverted(tenant: Tenant, account: PointAccount, { id, rewardVoucher }: PointDefinition): string {
  if (isPointFollower(tenant)) return 'in point-follower mode points become no vouchers';
  if (!rewardVoucher) return `point definition ${id} makes no vouchers`;
  const balance = balanceOf(tenant, account.id, tenant.now());
  return `the balance is ${balance} and a voucher costs ${rewardVoucher.threshold}`;
}

/** Lets points of a definition be pending from now on, or not; points that are there stay as they are. */
export function switchPendingPoints(tenant: Tenant, definitionId: string | number, isActive: boolean): void {
  const definition = definitionNamed(tenant, definitionId);
  tenant.put(pointDefinitions, { ...definition, pendingPointsActive: isActive });
}

/** Throws `PointDefinitionNotFound`. */
export function definitionNamed(tenant: Tenant, id: string | number): PointDefinition {
  const definition = findDefinition(tenant, id);
  if (definition) return definition;
  const known = [...tenant.all(pointDefinitions)].map((other) => other.id).toSorted((a, b) => a - b);
  const message = `No point definition has the id ${id}; there are ${known.join(', ') || 'none'}.`;
  throw refusal('PointDefinitionNotFound', { message });
}
