/** The endpoints of the service, and who does its queued work. A new noun is one line in each list. */
import type { Endpoint } from '../core/endpoint.ts';
import type { JobHandlers } from '../core/jobs.ts';
import { endChallenge } from './challenges/ending.ts';
import { challengeEndpoints } from './challenges/endpoints.ts';
import { consentEndpoints } from './consents/endpoints.ts';
import { processContacts } from './contacts/bulk.ts';
import { contactEndpoints } from './contacts/endpoints.ts';
import { orderEndpoints } from './orders/endpoints.ts';
import { processOrder } from './orders/process.ts';
import { setBalances } from './points/balances.ts';
import { addTransactions } from './points/bulk.ts';
import { pointEndpoints } from './points/endpoints.ts';
import { settleAccount } from './points/ledger.ts';
import { promotionEndpoints } from './promotions/endpoints.ts';
import { receiptEndpoints } from './receipts/endpoints.ts';
import { recordReceipt } from './receipts/operations.ts';
import { retailerEndpoints } from './retailer/endpoints.ts';

export const endpoints: readonly Endpoint[] = [
  ...contactEndpoints,
  ...consentEndpoints,
  ...receiptEndpoints,
  ...orderEndpoints,
  ...promotionEndpoints,
  ...pointEndpoints,
  ...challengeEndpoints,
  ...retailerEndpoints,
];

export const jobHandlers: JobHandlers = {
  'contacts.bulk': processContacts,
  'orders.process': processOrder,
  'points.balances': setBalances,
  'points.settle': settleAccount,
  'challenges.end': endChallenge,
  'points.transactions': addTransactions,
  'receipts.record': recordReceipt,
};
