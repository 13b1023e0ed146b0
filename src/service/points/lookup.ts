/** Finds accounts and transactions by what callers know of them. */
import { normalizeGuid } from '../../core/lib/random.ts';
import type { TenantContext } from '../../core/tenant/context.ts';
import { apiError } from '../errors/catalog.ts';
import { ownerKey, pointAccounts, pointTransactions } from './tables.ts';
import type { PointAccount, PointTransaction } from './tables.ts';
import { pointDefinitions } from './definitions.ts';
import type { PointDefinition } from './definitions.ts';

/** Returns the account of this id, a GUID or an integer. Throws `PointAccountNotFound`. */
export function getPointAccount(tenant: TenantContext, id: string): PointAccount {
  const account =
    tenant.get(pointAccounts, normalizeGuid(id) ?? '') ?? tenant.find(pointAccounts, 'number', id.replace(/^0+/, ''));
  if (!account) throw apiError('PointAccountNotFound', { message: `No point account has the id ${id}.` });
  return account;
}

/** Returns the id that the response gives an account. */
export const serializeAccountId = (tenant: TenantContext, { id, number }: PointAccount): string | number =>
  tenant.assumption('A-38') === 'integer' ? number : id;

/** Returns the account of a contact for a definition, made if it isn't there yet. */
export function getOrCreatePointAccount(tenant: TenantContext, contactId: string, definitionId: number): PointAccount {
  const known = tenant.find(pointAccounts, 'owner', ownerKey(contactId, definitionId));
  if (known) return known;
  const number = tenant.next('pointAccount');
  return tenant.put(pointAccounts, { id: tenant.newId(), number, contactId, definitionId });
}

/** Returns the accounts of a contact, by definition. */
export const listPointAccounts = (tenant: TenantContext, contactId: string): PointAccount[] =>
  tenant.listRows(pointAccounts, 'byContact', contactId);

/** Returns the definition of this id, sent as a number or as its digits. */
export const findPointDefinition = (tenant: TenantContext, id: string | number): PointDefinition | undefined =>
  tenant.get(pointDefinitions, String(id).trim());

/** Returns the transaction that a caller knows by our id of it or by its own. Throws `PointTransactionNotFound`. */
export function getPointTransaction(tenant: TenantContext, id: string): PointTransaction {
  const transaction =
    tenant.get(pointTransactions, normalizeGuid(id) ?? '') ?? tenant.find(pointTransactions, 'transactionId', id);
  if (!transaction) throw apiError('PointTransactionNotFound', { message: `No point transaction has the id ${id}.` });
  return transaction;
}
