/** How accounts and their transactions look to callers. */
import { toTimestamp } from '../../core/clock.ts';
import { toPage } from '../../core/page.ts';
import type { Link, Page } from '../../core/page.ts';
import type { Input } from '../../core/endpoint.ts';
import type { Tenant } from '../../core/tenant.ts';
import { accountOf, shownAccountId } from './accounts.ts';
import { balanceOf, pendingPointsOf } from './balance.ts';
import { inactivityOf, nextChange } from './expiry.ts';
import { definitionOf } from './ledger.ts';
import { pageOfTransactions } from './listing.ts';
import type { Listing } from './listing.ts';
import { pointTransactions } from './rows.ts';
import type { PointAccount, PointTransaction } from './rows.ts';
import { typeOf } from './signs.ts';
import type { ShownAccount, ShownTransaction } from './wire.ts';

type Self = Input<unknown, unknown>['self'];

/** The path that all others of the tenant start with. */
const baseOf = ({ path }: Self): string => path.slice(0, path.indexOf('/api/v3/') + '/api/v3'.length);

const link = (id: string | number, href: string, rel: string): Link => ({ id: String(id), href, method: 'GET', rel });

export function showAccount(tenant: Tenant, account: PointAccount, self: Self): ShownAccount {
  const now = tenant.now();
  const definition = definitionOf(tenant, account);
  const { contactId, definitionId } = account;
  const id = shownAccountId(tenant, account);
  const [next, inactive] = [nextChange, inactivityOf].map((when) => when(tenant, account, definition));
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

/** One transaction, read by its id. */
export function showTransaction(tenant: Tenant, transaction: PointTransaction, self: Self): ShownTransaction {
  const { number: _number, transactionId: _own, isRepeat: _isRepeat, accountId, ...shown } = transaction;
  const { id } = transaction;
  return {
    ...shown,
    accountId: shownAccountId(tenant, accountOf(tenant, accountId)),
    links: [link(id, `${baseOf(self)}/point-transactions/${id}`, 'self')],
  };
}

/** Point transaction: only a single one shows the type Adjustment; in lists it is what its sign makes it. */
function showListed(tenant: Tenant, transaction: PointTransaction, self: Self): ShownTransaction {
  const shown = showTransaction(tenant, transaction, self);
  return shown.type === 'Adjustment' ? { ...shown, type: typeOf(shown.amount) } : shown;
}

export function showTransactions(
  tenant: Tenant,
  account: PointAccount,
  { self, ...listing }: Listing & { readonly self: Self },
): Page<ShownTransaction> {
  const { totalCount, items } = pageOfTransactions(tenant, account, listing);
  return toPage({
    self,
    page: listing,
    totalCount,
    items: (page) =>
      items(page).flatMap((key) => {
        const transaction = tenant.get(pointTransactions, key);
        return transaction ? [showListed(tenant, transaction, self)] : [];
      }),
    counts: tenant.assumption('A-06'),
  });
}

/** the first page, as the list of transactions would answer it. */
export const showFirstTransactions = (tenant: Tenant, account: PointAccount, self: Self): Page<ShownTransaction> =>
  showTransactions(tenant, account, {
    self: {
      path: `${baseOf(self)}/point-accounts/transactions`,
      query: { accountId: String(shownAccountId(tenant, account)) },
    },
    filter: 'All',
    sortBy: 'transactionDate',
    sortOrder: 'desc',
    offset: 0,
    count: 100,
  });
