import { webhookDeliveries } from '../core/tenant/webhook-outbox.ts';
import { jobs, timers } from '../core/time/jobs.ts';
import type { Table } from '../core/state/state.ts';
import { fromResources } from './resources.ts';

/** Lists every table that a tenant's state can have: each is saved, loaded again and reset. */
export const tables: readonly Table<never>[] = [
  jobs,
  timers,
  webhookDeliveries,
  ...fromResources((noun) => noun.tables),
];
