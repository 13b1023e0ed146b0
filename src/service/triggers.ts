import * as z from 'zod';
import { didYouMean } from '../core/lib/suggest.ts';
import type { TenantContext } from '../core/tenant/context.ts';
import type { TriggerEvent } from './resource/trigger-event.ts';
import { fromResources } from './resources.ts';
import { syncBalances } from './trigger-names.ts';

const eventByName: ReadonlyMap<string, TriggerEvent> = new Map(
  fromResources(({ triggers }) => triggers && Object.entries(triggers)).map(([name, build]) => [name, build()]),
);

/** Lists the codes of the errors that any event may be refused with. */
export const triggerErrors = [...new Set([...eventByName.values()].flatMap(({ errors }) => errors))];

function unknownEventMessage({ input, ...issue }: z.core.$ZodRawIssue): string | undefined {
  if (issue.code !== 'invalid_union' || !Array.isArray(issue['options'])) return undefined;
  const names = issue['options'].map(String);
  const named = typeof input === 'object' && input !== null && 'event' in input ? input.event : undefined;
  if (typeof named !== 'string') return `is required: one of ${names.join(', ')}`;
  return `there is no event "${named}"${didYouMean(named, names)} (${names.join(', ')})`;
}

/** Is an event with what it needs, checked by the noun that declares it. */
export interface Trigger {
  readonly event: string;
}

const syncBalancesSchema = z
  .strictObject({ event: z.literal(syncBalances) })
  .describe('The point master beside the sim sends the balances that changed; with --with-point-master');

const [firstSchema = syncBalancesSchema, ...otherSchemas] = [
  ...[...eventByName.values()].map(({ schema }) => schema),
  syncBalancesSchema,
];

export const triggerSchema = z.discriminatedUnion('event', [firstSchema, ...otherSchemas], {
  error: unknownEventMessage,
}) as z.ZodType<Trigger>;

/** Lets an event happen that the schema has parsed. */
export const applyTrigger = (tenant: TenantContext, trigger: Trigger): unknown =>
  eventByName.get(trigger.event)?.apply(tenant, trigger as never);
