/** Every table that a tenant's state can have: what is saved and loaded again. A new table is one line. */
import { webhookDeliveries } from '../core/tenant/webhook-outbox.ts';
import { jobs, timers } from '../core/time/jobs.ts';
import type { Table } from '../core/state/state.ts';
import { challengeDefinitions, challenges } from './challenges/schema.ts';
import { consents } from './consents/schema.ts';
import { contactBatches, contacts } from './contacts/schema.ts';
import { orderJobs, orders, outbox } from './orders/schema.ts';
import { balanceStamps, balanceSyncs } from './points/balance-sync.ts';
import { bulkIdempotencyRecords } from './points/bulk.ts';
import { pointAccounts, pointAwards, pointLots, pointTransactions } from './points/tables.ts';
import { pointDefinitions } from './points/definitions.ts';
import { promotionAssignments, promotions } from './promotions/schema.ts';
import { receipts } from './receipts/tables.ts';
import { contactTypes, retailers, stores } from './retailer/schema.ts';
import { rewardVouchers } from './vouchers/schema.ts';

// What reads this list takes rows as they come: `never` is what every table's functions accept.
export const tables: readonly Table<never>[] = [
  jobs,
  timers,
  webhookDeliveries,
  retailers,
  contactTypes,
  stores,
  consents,
  contacts,
  contactBatches,
  receipts,
  promotions,
  promotionAssignments,
  rewardVouchers,
  orders,
  orderJobs,
  outbox,
  pointDefinitions,
  pointAccounts,
  pointTransactions,
  pointLots,
  pointAwards,
  bulkIdempotencyRecords,
  balanceSyncs,
  balanceStamps,
  challengeDefinitions,
  challenges,
];
