/** Balances that an external point master sets: in point-follower mode only. */
import { toTimestamp } from '../../core/clock.ts';
import { normalizeGuid } from '../../core/ids.ts';
import { jobs } from '../../core/jobs.ts';
import type { Table } from '../../core/state.ts';
import type { Tenant } from '../../core/tenant.ts';
import { contactOf } from '../contacts/lookup.ts';
import { refusal } from '../refusals.ts';
import { obtainAccount } from './accounts.ts';
import { balanceOf, exact } from './balance.ts';
import { isPointFollower } from './follower.ts';
import { record, settle } from './ledger.ts';
import { definitionNamed } from './operations.ts';
import { instantOf } from './rows.ts';
import type { PointAccount } from './rows.ts';
import { requirePointSystem } from './system.ts';
import type { BalanceItem, BalanceStatus } from './wire.ts';

/** Balances that were sent in one call. That its job failed is known to the queue alone. */
interface BalanceSync {
  readonly id: string;
  readonly jobId: string;
  readonly status: 'Queued' | 'Completed' | 'CompletedWithErrors';
  readonly messages: BalanceStatus['messages'];
  readonly timeStamp: string;
}

export const balanceSyncs: Table<BalanceSync> = { name: 'balanceSyncs', scope: 'state', key: ({ id }) => id };

/** The newest timeStamp that an account's balances came with. */
interface BalanceStamp {
  readonly accountId: string;
  readonly timeStamp: string;
}

export const balanceStamps: Table<BalanceStamp> = {
  name: 'balanceStamps',
  scope: 'state',
  key: ({ accountId }) => accountId,
};

type Balance = Pick<BalanceItem, 'amount' | 'timeStamp'>;

/** The payload of a job of kind `points.balances`. */
interface QueuedBalances {
  readonly syncId: string;
  readonly items: readonly BalanceItem[];
}

/** Queues balances to be set; answers the id to ask for. Throws `PointFollowerNotActive` or `NewPointSystemNotActive`. */
export function queueBalances(tenant: Tenant, items: readonly BalanceItem[]): string {
  if (!isPointFollower(tenant)) {
    const message =
      'The service is not the point follower: it keeps the points itself, so send transactions; ' +
      'or start loyalty-sim with --mode point-follower.';
    throw refusal('PointFollowerNotActive', { message });
  }
  requirePointSystem(tenant);
  const id = tenant.newId();
  const { id: jobId } = tenant.enqueue('points.balances', { syncId: id, items });
  tenant.put(balanceSyncs, { id, jobId, status: 'Queued', messages: [], timeStamp: toTimestamp(tenant.now()) });
  return id;
}

/** What became of balances that were sent. Throws `BalanceSyncNotFound`. */
export function balanceStatusOf(tenant: Tenant, id: string): BalanceStatus {
  const { jobId, status, ...sync } = syncOf(tenant, id);
  const job = tenant.get(jobs, jobId);
  if (status !== 'Queued' || job?.status === 'queued') return { ...sync, status };
  const message = job?.error ?? 'the job is no longer in the queue, and was not done';
  return { ...sync, status: 'Failed', messages: [{ message, timeStamp: sync.timeStamp }] };
}

function syncOf(tenant: Tenant, id: string): BalanceSync {
  const sync = tenant.get(balanceSyncs, normalizeGuid(id) ?? '');
  if (!sync) throw refusal('BalanceSyncNotFound', { message: `No balances were set under the id ${id}.` });
  return sync;
}

/** Does the queued work: an item that can't be done is told of and harms no other. */
export function setBalances(tenant: Tenant, { syncId, items }: QueuedBalances): void {
  const timeStamp = toTimestamp(tenant.now());
  const messages: BalanceStatus['messages'] = [];
  let failures = 0;
  for (const [i, item] of items.entries()) {
    const attempt = tenant.attempt(() => setBalance(tenant, item));
    if ('refusal' in attempt) failures++;
    const message = 'refusal' in attempt ? attempt.refusal.message : attempt.result;
    if (message !== undefined) messages.push({ message: `[${i}] ${message}`, timeStamp });
  }
  const status = failures > 0 ? 'CompletedWithErrors' : 'Completed';
  tenant.put(balanceSyncs, { ...syncOf(tenant, syncId), status, messages, timeStamp });
}

/** Sets one balance; answers what is to be told of it. Throws `ContactNotFound` or `PointDefinitionNotFound`. */
function setBalance(tenant: Tenant, { contactId, definitionId, amount, timeStamp }: BalanceItem): string | undefined {
  const contact = contactOf(tenant, contactId);
  const account = obtainAccount(tenant, contact.id, definitionNamed(tenant, definitionId).id);
  const newest = tenant.get(balanceStamps, account.id)?.timeStamp;
  if (timeStamp && newest && instantOf(timeStamp) < instantOf(newest)) {
    const told = `the balance of ${timeStamp} came after that of ${newest}`;
    if (tenant.assumption('A-46') === 'newest-wins') return `${told}; it is passed over`;
    adjustTo(tenant, account, { amount, timeStamp });
    const whose = `contact ${contact.id}, definition ${definitionId}`;
    tenant.warn('older-balance', `${told}; it is applied all the same (${whose})`);
    return `${told}; it is applied all the same`;
  }
  adjustTo(tenant, account, { amount, timeStamp });
  if (timeStamp) tenant.put(balanceStamps, { accountId: account.id, timeStamp });
  return undefined;
}

/** Adds or takes what makes the active points of an account this amount. */
function adjustTo(tenant: Tenant, account: PointAccount, { amount, timeStamp }: Balance): void {
  // Points that are over and whose timer is late are no part of it.
  settle(tenant, account);
  const difference = exact(amount - balanceOf(tenant, account.id, tenant.now()));
  if (difference === 0) return;
  record(tenant, account, {
    amount: difference,
    type: 'Adjustment',
    source: 'Adjustment',
    description: null,
    ...(timeStamp && { transactionDate: timeStamp }),
  });
}
