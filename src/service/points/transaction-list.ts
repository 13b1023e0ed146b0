/**
 * Returns a page of an account's transactions; costs what the page holds and what is pending, not the whole account.
 */
import type { OrderedList } from '../../core/state/ordered-list.ts';
import type { TenantContext } from '../../core/tenant/context.ts';
import { transactionIndexEntry, pointTransactions } from './tables.ts';
import type { PointAccount, TransactionOrder } from './tables.ts';

interface TransactionPageRequest {
  readonly offset: number;
  readonly count: number;
}

export interface TransactionListQuery extends TransactionPageRequest {
  readonly filter: 'All' | 'Active' | 'Pending';
  readonly sortBy: TransactionOrder;
  readonly sortOrder: 'asc' | 'desc' | 'ascending' | 'descending';
}

interface TransactionList {
  readonly totalCount: number;
  /** Returns the keys of a page. */
  readonly items: (page: TransactionPageRequest) => string[];
}

export function queryTransactions(
  tenant: TenantContext,
  { id }: PointAccount,
  { filter, sortBy, sortOrder }: TransactionListQuery,
): TransactionList {
  const list = tenant.list(pointTransactions, sortBy, id);
  const direction = sortOrder.startsWith('asc') ? 'ascending' : 'descending';
  const all = ({ offset, count }: TransactionPageRequest): string[] => list.page(offset, count, direction);
  if (filter === 'All') return { totalCount: list.size, items: all };
  const pending = pendingPositions(tenant, list, { accountId: id, sortBy });
  const places = direction === 'ascending' ? pending : pending.map((place) => list.size - 1 - place).toReversed();
  if (filter === 'Active') return { totalCount: list.size - pending.length, items: pageExcluding(places, all) };
  const one = (place: number): string[] => all({ offset: place, count: 1 });
  return {
    totalCount: pending.length,
    items: ({ offset, count }) => places.slice(offset, offset + count).flatMap(one),
  };
}

/** Returns the range of the transactions whose validFrom is yet to come. */
function pendingPositions(
  tenant: TenantContext,
  list: OrderedList,
  { accountId, sortBy }: { readonly accountId: string; readonly sortBy: TransactionOrder },
): number[] {
  const byActivation = tenant.list(pointTransactions, 'activation', accountId);
  const keys = byActivation.page(byActivation.countBelow(tenant.now() + 1), byActivation.size);
  const places = keys.flatMap((key) => {
    const transaction = tenant.get(pointTransactions, key);
    return transaction ? [list.countBefore({ key, ...transactionIndexEntry(sortBy, transaction) })] : [];
  });
  return places.toSorted((a, b) => a - b);
}

/** Returns pages of what is left of a list without the entries at some places. */
const pageExcluding =
  (places: readonly number[], page: (request: TransactionPageRequest) => string[]) =>
  ({ offset, count }: TransactionPageRequest): string[] => {
    const left: string[] = [];
    let from = offset + places.filter((place, i) => place - i <= offset).length;
    const passedOver = new Set(places);
    while (left.length < count) {
      const keys = page({ offset: from, count: count - left.length });
      if (keys.length === 0) break;
      const start = from;
      left.push(...keys.filter((_, i) => !passedOver.has(start + i)));
      from += keys.length;
    }
    return left;
  };
