/** Declares the events of `GET /__admin/events`, whose data is what other calls return. */
import * as z from '../../core/validation/deferred-zod.ts';
import { resetScopes } from '../../core/tenant/reset-scopes.ts';
import { clockSchema } from '../clock.ts';
import { importBatchSchema } from '../serialize/imports.ts';
import { attemptedDeliverySchema } from '../serialize/webhook-deliveries.ts';
import { exchangeSummarySchema } from '../serialize/exchanges.ts';
import { activeRuleSchema } from '../faults.ts';
import { executedJobSchema } from '../serialize/executed-jobs.ts';
import { queueSizesSchema } from '../queue.ts';
import { activeScenarioSchema } from '../scenario.ts';
import { restoredSchema } from '../snapshots.ts';
import { tenantSchema } from '../tenants.ts';

const events = {
  'stream.opened': z
    .strictObject({ tenant: z.string(), cursor: z.int() })
    .describe('Comes first; from now on nothing is missed. Requests that are in flight follow'),
  'request.received': exchangeSummarySchema.describe('A request came in'),
  'rule.fired': z
    .strictObject({ rule: activeRuleSchema, exchange: exchangeSummarySchema })
    .describe('A fault hits a request, which is still in flight'),
  'request.completed': exchangeSummarySchema.describe('A request is completed'),
  'request.updated': exchangeSummarySchema.describe(
    'A job was executed for a completed request, or its client had hung up',
  ),
  'journal.cleared': z.strictObject({ cleared: z.int() }),
  'clock.changed': clockSchema.describe('Frozen, set, advanced or resumed'),
  'job.completed': executedJobSchema,
  'job.failed': executedJobSchema,
  'queue.changed': queueSizesSchema,
  'webhook.attempted': attemptedDeliverySchema,
  'import.completed': importBatchSchema.describe('A batch imported or refused files'),
  'scenario.changed': activeScenarioSchema.describe('Another scenario, or a rule that was added or deleted'),
  'state.reset': z.strictObject({ tenant: z.string(), scopes: z.array(z.enum(resetScopes)) }),
  'snapshot.restored': restoredSchema.describe('From a snapshot'),
  'tenant.created': tenantSchema.describe('Any tenant'),
  'tenant.replaced': tenantSchema.describe('Any tenant that was recreated, with an empty journal'),
  'tenant.deleted': z.strictObject({ deleted: z.string() }).describe('Any tenant'),
  'events.combined': z.record(z.string(), z.int()).describe('Counts the events, by name, that `combine` has combined'),
  'events.dropped': z
    .strictObject({ dropped: z.int() })
    .describe('Counts the events left out here, because the reader was too slow or came back too late'),
} as const;

type Events = typeof events;
export type EventName = keyof Events;

/** Emits an event; its data is only made if there is room for it. The id is the journal's cursor by default. */
export type EmitEvent = <Name extends EventName>(event: Name, data: () => z.input<Events[Name]>, id?: number) => void;

const lookOf = ([name, data]: readonly [string, z.ZodType]) =>
  z.strictObject({ id: z.int().describe('The cursor of GET /__admin/requests'), event: z.literal(name), data });

export const eventSchema = z
  .union(Object.entries(events).map(lookOf))
  .describe('One event: its id, its name and its data as JSON, each on a line of its own')
  .meta({ id: 'Event' });
