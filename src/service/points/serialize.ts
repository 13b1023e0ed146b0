/** Serializes accounts and their transactions for callers. */
import { toTimestamp } from '../../core/time/clock.ts';
import { paginate } from '../../core/exchange/pagination.ts';
import type { Link, Page } from '../../core/exchange/pagination.ts';
import type { EndpointInput } from '../../core/exchange/endpoint.ts';
import type { TenantContext } from '../../core/tenant/context.ts';
import { getPointAccount, serializeAccountId } from './lookup.ts';
import { balanceOf, pendingPointsOf } from './ledger/balance.ts';
import { inactivityExpiryOf, ledgerViewOf, nextChangeAt } from './ledger/expiry.ts';
import { definitionOfAccount } from './ledger/ledger.ts';
import { queryTransactions } from './transaction-list.ts';
import type { TransactionListQuery } from './transaction-list.ts';
import { pointTransactions } from './tables.ts';
import type { PointAccount, PointTransaction } from './tables.ts';
import { transactionTypeOf } from './ledger/transaction-sign.ts';
import type { PointAccountResponse, PointTransactionResponse } from './schema.ts';

type Self = EndpointInput<unknown, unknown>['self'];

/** Returns the path that all others of the tenant start with. */
const baseOf = ({ path }: Self): string => path.slice(0, path.indexOf('/api/v3/') + '/api/v3'.length);

const link = (id: string | number, href: string, rel: string): Link => ({ id: String(id), href, method: 'GET', rel });

export function serializeAccount(tenant: TenantContext, account: PointAccount, self: Self): PointAccountResponse {
  const now = tenant.now();
  const definition = definitionOfAccount(tenant, account);
  const { contactId, definitionId } = account;
  const id = serializeAccountId(tenant, account);
  const view = ledgerViewOf(tenant);
  const [next, inactive] = [nextChangeAt, inactivityExpiryOf].map((when) => when(view, account, definition));
  const base = baseOf(self);
  return {
    id,
    contactId,
    definitionId,
    balance: balanceOf(tenant, account.id, now),
    pendingPoints: pendingPointsOf(tenant, account.id, now),
    balanceExpires: next === undefined ? null : toTimestamp(next),
    ...(definition.expiry.method === 'contactInactive' && {
      pointsWillExpireDueToInactivity: inactive === undefined ? null : toTimestamp(inactive),
    }),
    links: [
      link(definitionId, `${base}/point-definitions/${definitionId}`, 'definition'),
      link(id, `${base}/point-accounts/transactions?accountId=${id}`, 'transactions'),
    ],
  };
}

/** Serializes one transaction, read by its id. */
export function serializePointTransaction(
  tenant: TenantContext,
  transaction: PointTransaction,
  self: Self,
): PointTransactionResponse {
  const { number: _number, transactionId: _own, isRepeat: _isRepeat, accountId, ...shown } = transaction;
  const { id } = transaction;
  return {
    ...shown,
    accountId: serializeAccountId(tenant, getPointAccount(tenant, accountId)),
    links: [link(id, `${baseOf(self)}/point-transactions/${id}`, 'self')],
  };
}

/** Point transaction: only a single one shows the type Adjustment; in lists it is what its sign makes it. */
function serializeListedTransaction(
  tenant: TenantContext,
  transaction: PointTransaction,
  self: Self,
): PointTransactionResponse {
  const shown = serializePointTransaction(tenant, transaction, self);
  return shown.type === 'Adjustment' ? { ...shown, type: transactionTypeOf(shown.amount) } : shown;
}

export function serializeTransactionPage(
  tenant: TenantContext,
  account: PointAccount,
  { self, ...listing }: TransactionListQuery & { readonly self: Self },
): Page<PointTransactionResponse> {
  const { totalCount, items } = queryTransactions(tenant, account, listing);
  return paginate({
    self,
    page: listing,
    totalCount,
    items: (page) =>
      items(page).flatMap((key) => {
        const transaction = tenant.get(pointTransactions, key);
        return transaction ? [serializeListedTransaction(tenant, transaction, self)] : [];
      }),
    counts: tenant.assumption('A-06'),
  });
}

/** Returns the first page as the list of transactions would respond with it. */
export const serializeFirstTransactionPage = (
  tenant: TenantContext,
  account: PointAccount,
  self: Self,
): Page<PointTransactionResponse> =>
  serializeTransactionPage(tenant, account, {
    self: {
      path: `${baseOf(self)}/point-accounts/transactions`,
      query: { accountId: String(serializeAccountId(tenant, account)) },
    },
    filter: 'All',
    sortBy: 'transactionDate',
    sortOrder: 'desc',
    offset: 0,
    count: 100,
  });
