/** Names point accounts by their owner and definition, and point transactions by id, for the verdict. */
import { normalizeGuid } from '../../core/lib/random.ts';
import type { TenantContext } from '../../core/tenant/context.ts';
import { contactNames } from '../contacts/subjects.ts';
import { rowNames } from '../resource/subject-names.ts';
import type { SubjectNames } from '../resource/subject-names.ts';
import { balanceSyncs } from './balance-sync.ts';
import { pointAccounts, pointTransactions } from './tables.ts';
import type { PointAccount, PointTransaction } from './tables.ts';

const accountName = (contact: string, definitionId: string | number): string =>
  `account of ${contact} for ${String(definitionId).trim()}`;

const ownName = ({ contactId, definitionId }: Pick<PointAccount, 'contactId' | 'definitionId'>): string =>
  accountName(`contact ${contactId}`, definitionId);

const findAccount = (tenant: TenantContext, id: string): PointAccount | undefined =>
  tenant.get(pointAccounts, normalizeGuid(id) ?? '') ?? tenant.find(pointAccounts, 'number', id.replace(/^0+/, ''));

const findTransaction = (tenant: TenantContext, id: string): PointTransaction | undefined =>
  tenant.get(pointTransactions, normalizeGuid(id) ?? '') ?? tenant.find(pointTransactions, 'transactionId', id);

export const pointSubjects: SubjectNames = {
  kinds: {
    balances: (_, id) => [`balances ${normalizeGuid(id) ?? id}`],
    account: (tenant, id) => {
      const account = findAccount(tenant, id);
      return [account ? ownName(account) : `account ${normalizeGuid(id) ?? id}`];
    },
    accountOf: (tenant, id) => {
      const [contactId = '', definitionId = ''] = id.split('/');
      return contactNames(tenant, contactId).map((contact) => accountName(contact, definitionId));
    },
    transaction: (tenant, id) => [`transaction ${findTransaction(tenant, id)?.id ?? id}`, `transaction ${id}`],
  },
  rows: [
    // A balance that stays as it is was set as well.
    rowNames(balanceSyncs, ({ id, items }) => [
      `balances ${id}`,
      ...items.filter(({ outcome }) => outcome === 'set' || outcome === 'older').map(ownName),
    ]),
    rowNames(pointAccounts, (account) => [ownName(account)]),
    rowNames(pointTransactions, ({ id, transactionId }) => [`transaction ${transactionId ?? id}`, `transaction ${id}`]),
  ],
};
