/** Where the service and the specification differ, by name: closing one forces its removal here. */
import type { AssumptionId } from '../../src/resources/assumptions.ts';
import type { endpoints } from './spec/endpoints.ts';
import type { errors } from './spec/errors.ts';
import type { limits } from './spec/limits.ts';

type Ids<Rows extends readonly { readonly id: string }[]> = readonly Rows[number]['id'][];

/** Rows of the specification's endpoint tables that are not served. */
export const endpointsNotYet: Ids<typeof endpoints> = [
  'challenges.list',
  'challenges.get',
  'challenges.listDefinitions',
  'challenges.getDefinition',
  'challenges.awardCheckpoints',
  'challenges.assign',
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

/** Fields of our schemas that the specification's tables don't have, as `Table.field`. */
export const fieldAdditions: readonly string[] = [];

/** Error rows without an endpoint that answers them. */
export const errorsNotYet: Ids<typeof errors> = ['error.bulkPointTransactions'];

/** Statuses of error rows that only a scenario can cause. */
export const statusesOfFaults: readonly number[] = [504];

/** Limits of endpoints that are not served. */
export const limitsNotYet: Ids<typeof limits> = ['limit.bulkPointTransactions'];
