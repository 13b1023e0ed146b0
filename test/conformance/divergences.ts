/** Where the service and the specification differ, by name: closing one forces its removal here. */
import type { AssumptionId } from '../../src/resources/assumptions.ts';
import type { endpoints } from './spec/endpoints.ts';
import type { errors } from './spec/errors.ts';
import type { fieldTables } from './spec/fields.ts';
import type { limits } from './spec/limits.ts';
import type { rules } from './spec/rules.ts';
import type { transitions } from './spec/transitions.ts';

type Ids<Rows extends readonly { readonly id: string }[]> = readonly Rows[number]['id'][];

/** Rows of the specification's endpoint tables that are not served. */
export const endpointsNotYet: Ids<typeof endpoints> = [
  'points.listAccounts',
  'points.getAccount',
  'points.listTransactions',
  'points.getTransaction',
  'points.addTransaction',
  'points.addTransactions',
  'points.setBalances',
  'points.getBalancesStatus',
  'pointHistory.fetch',
];

interface Addition {
  readonly assumption?: AssumptionId;
  readonly why: string;
}

/** Endpoints that the specification doesn't name, by their ids. */
export const endpointAdditions: Readonly<Record<string, Addition>> = {
  countContacts: { why: 'tells how many contacts there are, which no other call does' },
  updateContacts: { assumption: 'A-19', why: 'the bulk endpoints are used for bulk updates' },
  getContactBatch: { assumption: 'A-19', why: 'what became of a queued batch' },
  getOrderJob: { assumption: 'A-30', why: 'what became of a queued order' },
  listStores: { why: 'what the storeExternalId of a receipt may name' },
};

/** Rules of what is not served. */
export const rulesNotYet = [
  'pointAccount.identity',
  'pointAccount.independence',
  'pointAccount.id',
  'pointAccount.balance',
  'pointAccount.pendingPoints',
  'pointAccount.balanceExpires',
  'pointAccount.inactivity',
  'pointAccount.links',
  'pointTransaction.amount',
  'pointTransaction.type',
  'pointTransaction.source',
  'pointTransaction.validFrom',
  'pointTransaction.retailTransactionLineItemId',
  'pointTransaction.description',
  'pointTransaction.code.Bonus.Points',
  'pointTransaction.code.RemovedDueToTimeLimit',
  'pointTransaction.code.Bonus.DeductionForDiscount',
  'pointTransaction.code.Bonus.DeductionForReturn',
  'pointTransaction.code.ConvertedToBonusCheck',
  'pointTransaction.active',
  'pointTransaction.pending',
  'points.activatingPending',
  'points.accountTransactions',
  'points.singleTransactionRequired',
  'points.expirySettings',
  'points.bulkAmount',
  'points.bulkValidFrom',
  'points.balanceSync',
  'points.balancesMode',
  'pointHistory.host',
  'pointHistory.contactCard',
  'follower.webhookMode',
  'follower.notAppliedAtOnce',
  'follower.sentToMaster',
  'follower.nextSync',
  'follower.configureFirst',
  'follower.encryptedPayload',
  'follower.automationSource',
  'follower.manualSource',
  'follower.noPurchasePoints',
  'follower.featuresOff',
  'follower.otherWebhooks',
  'version.rule.3',
  'version.rule.4',
  'version.rule.5',
] as const satisfies Ids<typeof rules>;

/** Transitions of what is not served. */
export const transitionsNotYet = [
  'points.none→pending',
  'points.pending→active',
  'points.none→active',
  'points.none→activeImmediately',
] as const satisfies Ids<typeof transitions>;

/** Tables of fields of what is not served. */
export const fieldTablesNotYet: readonly (typeof fieldTables)[number]['table'][] = [
  'PointAccount',
  'PointAccountList',
  'PointTransaction',
  'PointTransactionList',
  'BalanceSyncItem',
  'BalanceStatus',
  'BalanceStatusMessage',
  'PointHistoryItem',
  'SinglePointTransactionBody',
  'BulkPointTransactionItem',
  'WebhookEnvelope',
  'AutomationAdjustmentPayload',
  'ManualAdjustmentPayload',
];

/** Readings of what is not served. */
export const assumptionsNotYet = [
  'A-38',
  'A-39',
  'A-40',
  'A-41',
  'A-42',
  'A-43',
  'A-44',
  'A-45',
  'A-46',
  'A-47',
  'A-48',
  'A-49',
  'A-50',
  'A-51',
] as const satisfies readonly AssumptionId[];

/** Fields of our schemas that the specification's tables don't have, as `Table.field`. */
export const fieldAdditions: readonly string[] = [];

/** Error rows without an endpoint that answers them. */
export const errorsNotYet = ['error.bulkPointTransactions'] as const satisfies Ids<typeof errors>;

/** Statuses of error rows that only a scenario can cause. */
export const statusesOfFaults: readonly number[] = [504];

/** Limits of endpoints that are not served. */
export const limitsNotYet: Ids<typeof limits> = ['limit.bulkPointTransactions'];
