/** Where the service and the specification differ, by name: closing one forces its removal here. */
import type { AssumptionId } from '../../src/service/assumptions/catalog.ts';
import type { endpoints } from './spec/endpoints.ts';
import type { fieldTables } from './spec/fields.ts';

/** Rows of the specification's endpoint tables that are not served but called (src/webhooks/point-history.ts). */
export const endpointsCalled: readonly (typeof endpoints)[number]['id'][] = ['pointHistory.fetch'];

interface Addition {
  readonly assumption?: AssumptionId;
  readonly why: string;
}

/** Endpoints that the specification doesn't name, by their ids. */
export const endpointAdditions: Readonly<Record<string, Addition>> = {
  countContacts: { why: 'tells how many contacts there are, which no other endpoint does' },
  updateContacts: { assumption: 'A-19', why: 'the bulk endpoints are used for bulk updates' },
  getContactBatch: { assumption: 'A-19', why: 'what became of a queued batch' },
  getOrderJob: { assumption: 'A-30', why: 'what became of a queued order' },
  listAccountTransactions: { assumption: 'A-40', why: 'where the links of a point account lead to' },
  getPointDefinition: { why: 'where the definition link of a point account leads to' },
  listStores: { why: 'what the storeExternalId of a receipt may name' },
};

/** Tables of fields of what is not served but called or sent: webhook-fields.test.ts is about those. */
export const fieldTablesSent: readonly (typeof fieldTables)[number]['table'][] = [
  'PointHistoryItem',
  'WebhookEnvelope',
  'AutomationAdjustmentPayload',
  'ManualAdjustmentPayload',
];

/** Fields of our schemas that the specification's tables don't have, as `Table.field`. */
export const fieldAdditions: readonly string[] = [
  // The specification says that a consent is configured with them.
  'ConsentDefinition.type',
  'ConsentDefinition.defaultValue',
  // Public clients send it.
  'ReceiptItem.packQuantity',
  // The specification's note on expiry settings names it.
  'SinglePointTransactionBody.expireAfterMonthsInactive',
];

/** Statuses of error rows that only a scenario can cause. */
export const statusesOfFaults: readonly number[] = [504];
