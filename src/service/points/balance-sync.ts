/** Sets the balances that an external point master sends, in point-follower mode only. */
import { toTimestamp } from '../../core/time/clock.ts';
import { logicalClockSequence } from '../../core/tenant/webhook-outbox.ts';
import { normalizeGuid } from '../../core/lib/random.ts';
import { jobs } from '../../core/time/jobs.ts';
import type { Steps } from '../../core/time/steps.ts';
import type { Table } from '../../core/state/state.ts';
import type { TenantContext } from '../../core/tenant/context.ts';
import { getContact } from '../contacts/lookup.ts';
import { apiError } from '../errors/catalog.ts';
import { getOrCreatePointAccount } from './lookup.ts';
import { balanceOf, roundPointAmount } from './ledger/balance.ts';
import { isPointFollower } from './point-follower.ts';
import { recordTransaction, settle } from './ledger/ledger.ts';
import { getPointDefinition } from './operations.ts';
import { parseInstant } from './tables.ts';
import type { PointAccount } from './tables.ts';
import { requirePointSystem } from './points-enabled.ts';
import type { BalanceSyncItem, BalanceSyncStatus } from './schema.ts';

/** Holds balances that were sent in one request. That its job failed is known to the queue alone. */
export interface BalanceSync {
  readonly id: string;
  /** Says when it came, in the order of what is exchanged with the point master. */
  readonly turn: number;
  readonly jobId: string;
  readonly status: 'Queued' | 'Completed' | 'CompletedWithErrors';
  readonly messages: BalanceSyncStatus['messages'];
  readonly timeStamp: string;
  /** Lists the results once the balances are set. */
  readonly items: readonly BalanceSyncItemResult[];
}

/** Describes one of the balances that were sent, and what became of it. */
export interface BalanceSyncItemResult extends Pick<BalanceSyncItem, 'contactId' | 'definitionId' | 'amount'> {
  /** Holds the balance just before; absent when it could not be set. */
  readonly before?: number;
  readonly outcome: 'set' | 'older' | 'passed over' | 'rejected';
  /** Holds the code of the error by which it was rejected. */
  readonly code?: string;
  readonly message?: string;
}

export const balanceSyncs: Table<BalanceSync> = {
  name: 'balanceSyncs',
  scope: 'state',
  key: ({ id }) => id,
  lists: { all: ({ turn }) => ({ of: 'all', order: turn }) },
};

/** Returns all balances that were sent, in the order in which they came. */
export const listBalanceSyncs = (tenant: TenantContext): BalanceSync[] =>
  [...tenant.list(balanceSyncs, 'all', 'all')].flatMap(({ key }) => tenant.get(balanceSyncs, key) ?? []);

/** Describes the newest timeStamp that an account's balances came with. */
interface BalanceStamp {
  readonly accountId: string;
  readonly timeStamp: string;
}

export const balanceStamps: Table<BalanceStamp> = {
  name: 'balanceStamps',
  scope: 'state',
  key: ({ accountId }) => accountId,
};

type Balance = Pick<BalanceSyncItem, 'amount' | 'timeStamp'>;

/** Describes the payload of a job of kind `points.balances`. */
interface QueuedBalances {
  readonly syncId: string;
  readonly items: readonly BalanceSyncItem[];
}

/**
 * Queues balances to be set; returns the id to ask for. Throws `PointFollowerNotActive` or `NewPointSystemNotActive`.
 */
export function queueBalances(tenant: TenantContext, items: readonly BalanceSyncItem[]): string {
  if (!isPointFollower(tenant)) {
    const message =
      'The service is not the point follower: it keeps the points itself, so send transactions; ' +
      'or start loyalty-sim with --mode point-follower.';
    throw apiError('PointFollowerNotActive', { message });
  }
  requirePointSystem(tenant);
  const id = tenant.newId();
  const { id: jobId } = tenant.enqueue('points.balances', { syncId: id, items });
  const turn = tenant.next(logicalClockSequence);
  const timeStamp = toTimestamp(tenant.now());
  tenant.put(balanceSyncs, { id, turn, jobId, status: 'Queued', messages: [], timeStamp, items: [] });
  return id;
}

/** Returns the results of balances that were sent. Throws `BalanceSyncNotFound`. */
export function getBalanceSyncStatus(tenant: TenantContext, id: string): BalanceSyncStatus {
  const sync = syncOf(tenant, id);
  const { status, messages, timeStamp } = sync;
  const failure = balanceSyncFailure(tenant, sync);
  if (failure === undefined) return { id: sync.id, status, messages, timeStamp };
  return { id: sync.id, status: 'Failed', messages: [{ message: failure, timeStamp }], timeStamp };
}

/** Says why balances were not set and will not be; undefined when they were, or are to be. */
export function balanceSyncFailure(tenant: TenantContext, { status, jobId }: BalanceSync): string | undefined {
  const job = tenant.get(jobs, jobId);
  if (status !== 'Queued' || job?.status === 'queued') return undefined;
  return job?.error ?? 'the job is no longer in the queue, and was not done';
}

/** Returns the balances of a request that are not set, and may never be: its job is still to be done, or has failed. */
export function unsetBalancesOf(tenant: TenantContext, { jobId }: BalanceSync): readonly BalanceSyncItem[] {
  const job = tenant.get(jobs, jobId);
  return job ? (job.payload as QueuedBalances).items : [];
}

function syncOf(tenant: TenantContext, id: string): BalanceSync {
  const sync = tenant.get(balanceSyncs, normalizeGuid(id) ?? '');
  if (!sync) throw apiError('BalanceSyncNotFound', { message: `No balances were set under the id ${id}.` });
  return sync;
}

/** Does the queued work: an item that can't be done is reported and harms no other. */
export function* setBalances(tenant: TenantContext, { syncId, items }: QueuedBalances): Steps {
  const timeStamp = toTimestamp(tenant.now());
  const done: BalanceSyncItemResult[] = [];
  for (const item of items) {
    done.push(tryBalance(tenant, item));
    yield;
  }
  const messages = done.flatMap(({ message }, i) => (message === undefined ? [] : [`[${i}] ${message}`]));
  const status = done.some(({ outcome }) => outcome === 'rejected') ? 'CompletedWithErrors' : 'Completed';
  tenant.put(balanceSyncs, {
    ...syncOf(tenant, syncId),
    status,
    messages: messages.map((message) => ({ message, timeStamp })),
    timeStamp,
    items: done,
  });
}

function tryBalance(tenant: TenantContext, item: BalanceSyncItem): BalanceSyncItemResult {
  const { definitionId, amount } = item;
  const sent = { contactId: normalizeGuid(item.contactId) ?? item.contactId, definitionId, amount };
  const attempt = tenant.savepoint(() => setBalance(tenant, item));
  if ('result' in attempt) return { ...sent, ...attempt.result };
  const { code, message } = attempt.error;
  return { ...sent, outcome: 'rejected', code, message };
}

/** Sets one balance; returns what became of it. Throws `ContactNotFound` or `PointDefinitionNotFound`. */
function setBalance(
  tenant: TenantContext,
  { contactId, definitionId, amount, timeStamp }: BalanceSyncItem,
): Pick<BalanceSyncItemResult, 'before' | 'outcome' | 'message'> {
  const contact = getContact(tenant, contactId);
  const account = getOrCreatePointAccount(tenant, contact.id, getPointDefinition(tenant, definitionId).id);
  const before = balanceOf(tenant, account.id, tenant.now());
  const newest = tenant.get(balanceStamps, account.id)?.timeStamp;
  if (timeStamp && newest && parseInstant(timeStamp) < parseInstant(newest)) {
    const lateness = `the balance of ${timeStamp} came after that of ${newest}`;
    if (tenant.assumption('A-46') === 'newest-wins') {
      return { outcome: 'passed over', message: `${lateness}; it is passed over` };
    }
    adjustTo(tenant, account, { amount, timeStamp });
    const whose = `contact ${contact.id}, definition ${definitionId}`;
    tenant.warn('older-balance', `${lateness}; it is applied all the same (${whose})`);
    return { before, outcome: 'older', message: `${lateness}; it is applied all the same` };
  }
  adjustTo(tenant, account, { amount, timeStamp });
  if (timeStamp) tenant.put(balanceStamps, { accountId: account.id, timeStamp });
  return { before, outcome: 'set' };
}

/** Adds or takes what makes the active points of an account this amount. */
function adjustTo(tenant: TenantContext, account: PointAccount, { amount, timeStamp }: Balance): void {
  // Points that are over and whose timer is late are no part of it.
  settle(tenant, account);
  const difference = roundPointAmount(amount - balanceOf(tenant, account.id, tenant.now()));
  if (difference === 0) return;
  recordTransaction(tenant, account, {
    amount: difference,
    type: 'Adjustment',
    source: 'UpdateBalance',
    description: 'Balance update',
    ...(timeStamp && { transactionDate: timeStamp }),
  });
}
