import { plural } from '../../core/lib/plural.ts';
import type { TenantContext } from '../../core/tenant/context.ts';
import { contactName } from '../contacts/contact-name.ts';
import { numberIn, sumByContact, textIn } from '../resource/duplicate-wording.ts';
import { headline } from '../resource/headline.ts';
import { resource } from '../resource/resource.ts';
import { balanceStamps, balanceSyncs, setBalances } from './balance-sync.ts';
import { addTransactions, bulkIdempotencyRecords } from './bulk.ts';
import { pointCard } from './card.ts';
import { pointDefinitions } from './definitions.ts';
import { pointEndpoints } from './endpoints.ts';
import { pointDefinitionsFixture, pointTransactionsFixture } from './fixture.ts';
import { settleAccount } from './ledger/ledger.ts';
import { pointStateFields } from './state-fields.ts';
import { pointSubjects } from './subjects.ts';
import { pointTriggers } from './triggers.ts';
import { pointAccounts, pointAwards, pointBonuses, pointLots, pointTransactions } from './tables.ts';

export const pointResource = resource({
  name: 'points',
  endpoints: pointEndpoints,
  jobs: {
    'points.balances': setBalances,
    'points.settle': settleAccount,
    'points.transactions': addTransactions,
  },
  tables: [
    pointDefinitions,
    pointAccounts,
    pointTransactions,
    pointLots,
    pointAwards,
    pointBonuses,
    bulkIdempotencyRecords,
    balanceSyncs,
    balanceStamps,
  ],
  headlines: [
    headline(pointDefinitions, ['name', 'pointsPerUnit']),
    headline(pointAccounts, ['definitionId']),
    headline(pointTransactions, ['amount', 'type', 'source', 'validFrom', 'validTo'], {
      field: 'amount',
      unit: 'points',
    }),
    headline(pointLots, ['left', 'activeFrom', 'expiresAt']),
    headline(pointAwards, ['gave', 'sku', 'unitPrice']),
    headline(pointBonuses, ['gave', 'description']),
    headline(bulkIdempotencyRecords, ['jobId', 'isDone']),
    headline(balanceSyncs, ['status', 'timeStamp']),
    headline(balanceStamps, ['timeStamp']),
  ],
  fixtures: [pointDefinitionsFixture, pointTransactionsFixture],
  references: {
    accountId: accountOwner,
    transactionId: (tenant, id) => accountOwner(tenant, transactionAccount(tenant, id) ?? ''),
    // The id of a point account in queries, of a contact in lists of contacts.
    id: (tenant, id) => accountOwner(tenant, id) ?? id,
  },
  state: pointStateFields,
  triggers: pointTriggers,
  card: pointCard,
  subjects: pointSubjects,
  things: [
    {
      table: pointTransactions.name,
      describe: (effects, tenant) =>
        sumByContact(
          effects.filter(({ change }) => change === 'created'),
          (effect) => [
            contactName(tenant, tenant.get(pointAccounts, textIn(effect, 'accountId'))?.contactId),
            numberIn(effect, 'amount'),
          ],
        ).map(([contact, amount]) => ({ contact, text: 'point', amount })),
    },
  ],
  wording: [
    {
      table: pointTransactions.name,
      describe: (effects, tenant) =>
        sumByContact(
          effects.filter(({ change }) => change === 'created'),
          (effect) => [
            contactName(tenant, tenant.get(pointAccounts, textIn(effect, 'accountId'))?.contactId),
            numberIn(effect, 'amount'),
          ],
        ).map(
          ([contact, amount]) =>
            `${contact} has ${plural(Math.abs(amount), 'point')} too ${amount > 0 ? 'many' : 'few'}`,
        ),
    },
  ],
});

function accountOwner(tenant: TenantContext, id: string): string | undefined {
  return (tenant.get(pointAccounts, id) ?? tenant.find(pointAccounts, 'number', id))?.contactId;
}

const transactionAccount = (tenant: TenantContext, id: string): string | undefined =>
  (tenant.get(pointTransactions, id) ?? tenant.find(pointTransactions, 'transactionId', id))?.accountId;
