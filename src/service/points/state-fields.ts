import type { TenantContext } from '../../core/tenant/context.ts';
import type { StateField } from '../resource/state-field.ts';
import { pointDefinitions } from './definitions.ts';
import { balanceOf, pendingPointsOf } from './ledger/balance.ts';
import { ownerKey, pointAccounts, pointTransactions } from './tables.ts';

/** Declares an amount of a contact's account; a bare number is about the first point definition. */
const accountField = (
  title: string,
  what: string,
  amountOf: (tenant: TenantContext, accountId: string) => number,
): StateField => ({
  kind: 'amount-by-name',
  description: `${title} of the first point definition, or {"<definition>": …} of those named`,
  names: /^\d+$/,
  hint: 'of point definitions, as {"1": 120}',
  read: (tenant, contactId, name) => {
    const ids = [...tenant.all(pointDefinitions)].map(({ id }) => String(id));
    const definition = name ?? ids.toSorted((a, b) => Number(a) - Number(b))[0] ?? '1';
    const place = `${what} of point definition ${definition}`;
    if (!ids.includes(definition)) return { place, value: undefined };
    const account = tenant.find(pointAccounts, 'owner', ownerKey(contactId, Number(definition)));
    return { place, value: account ? amountOf(tenant, account.id) : 0 };
  },
});

const countTransactions = (tenant: TenantContext, accountId: string): number =>
  tenant.list(pointTransactions, 'transactionDate', accountId).size;

export const pointStateFields = {
  balance: accountField('Active points', 'balance', (tenant, account) => balanceOf(tenant, account, tenant.now())),
  pendingPoints: accountField('Pending points', 'pending points', (tenant, account) =>
    pendingPointsOf(tenant, account, tenant.now()),
  ),
  transactions: accountField('Counts the point transactions', 'number of transactions', countTransactions),
};
