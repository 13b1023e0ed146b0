import { webhookDeliveries } from '../core/tenant/webhook-outbox.ts';
import { jobs, timers } from '../core/time/jobs.ts';
import type { Table } from '../core/state/state.ts';
import { headline } from './resource/headline.ts';
import type { Resource } from './resource/resource.ts';
import { resources } from './resources.ts';

type TableOwner = Pick<Resource, 'name' | 'tables' | 'headlines'>;

/** Declares the tables that belong to no noun, each with its headline. */
const engineTables: readonly TableOwner[] = [
  {
    name: 'queue',
    tables: [jobs, timers],
    headlines: [headline(jobs, ['kind', 'dueAt', 'status']), headline(timers, ['kind', 'dueAt'])],
  },
  {
    name: 'webhooks',
    tables: [webhookDeliveries],
    headlines: [headline(webhookDeliveries, ['eventType', 'status'])],
  },
];

/** Lists who has tables: the queue, the webhooks, and the nouns of the service. */
export const tableOwners: readonly TableOwner[] = [...engineTables, ...resources];

/** Lists every table that a tenant's state can have: each is saved, loaded again and reset. */
export const tables: readonly Table<never>[] = tableOwners.flatMap((owner) => owner.tables ?? []);
