/** Every table that a tenant's state can have: what is saved and loaded again. A new table is one line. */
import { deliveries } from '../core/deliveries.ts';
import { jobs, timers } from '../core/jobs.ts';
import type { Table } from '../core/state.ts';
import { challengeDefinitions, challenges } from './challenges/schema.ts';
import { consents } from './consents/schema.ts';
import { batches, contacts } from './contacts/schema.ts';
import { orderJobs, orders, outbox } from './orders/schema.ts';
import { balanceStamps, balanceSyncs } from './points/balances.ts';
import { rememberedBulks } from './points/bulk.ts';
import { pointAccounts, pointAwards, pointLots, pointTransactions } from './points/rows.ts';
import { pointDefinitions } from './points/schema.ts';
import { promotionAssignments, promotions } from './promotions/schema.ts';
import { receipts } from './receipts/row.ts';
import { contactTypes, retailers, stores } from './retailer/schema.ts';
import { rewardVouchers } from './vouchers/schema.ts';

// What reads this list takes rows as they come: `never` is what every table's functions accept.
export const tables: readonly Table<never>[] = [
  jobs,
  timers,
  deliveries,
  retailers,
  contactTypes,
  stores,
  consents,
  contacts,
  batches,
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
  rememberedBulks,
  balanceSyncs,
  balanceStamps,
  challengeDefinitions,
  challenges,
];
