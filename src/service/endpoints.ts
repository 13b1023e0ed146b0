/** The endpoints of the service, and who does its queued work. A new noun is one line in each list. */
import type { Endpoint } from '../core/exchange/endpoint.ts';
import type { JobHandlers } from '../core/time/scheduler.ts';
import { expireChallenge } from './challenges/expiry.ts';
import { challengeEndpoints } from './challenges/endpoints.ts';
import { consentEndpoints } from './consents/endpoints.ts';
import { processContacts } from './contacts/bulk.ts';
import { contactEndpoints } from './contacts/endpoints.ts';
import { orderEndpoints } from './orders/endpoints.ts';
import { processOrder } from './orders/processing.ts';
import { setBalances } from './points/balance-sync.ts';
import { addTransactions } from './points/bulk.ts';
import { pointEndpoints } from './points/endpoints.ts';
import { settleAccount } from './points/ledger/ledger.ts';
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
  'challenges.end': expireChallenge,
  'points.transactions': addTransactions,
  'receipts.record': recordReceipt,
};
