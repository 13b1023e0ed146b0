import * as z from '../core/validation/deferred-zod.ts';
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

/** Describes a field that events take, by its name and what it holds. */
export interface TriggerField {
  readonly name: string;
  readonly description: string;
  readonly type: 'text' | 'number' | 'flag';
}

/** Lists the described fields of all events, each once. */
export function triggerFields(): readonly TriggerField[] {
  const fields = [...eventByName.values()].flatMap(({ schema }) =>
    schema instanceof z.ZodObject ? Object.entries<z.ZodType>(schema.shape) : [],
  );
  const names = new Set(fields.filter(([, { description }]) => description !== undefined).map(([name]) => name));
  return [...names].map((name) => {
    const schemas = fields.filter(([other]) => other === name).map(([, schema]) => schema);
    const descriptions = new Set(schemas.map(({ description }) => description).filter((one) => one !== undefined));
    return {
      name,
      description: [...descriptions].map((text) => text.slice(0, 1).toLowerCase() + text.slice(1)).join(', or '),
      type: typeOf(schemas[0]),
    };
  });
}

function typeOf(schema: z.ZodType | undefined): TriggerField['type'] {
  if (schema instanceof z.ZodBoolean) return 'flag';
  return schema instanceof z.ZodNumber ? 'number' : 'text';
}

/** Describes an event with what it needs, checked by the noun that declares it. */
export interface Trigger {
  readonly event: string;
}

const syncBalancesSchema = z
  .strictObject({ event: z.literal(syncBalances) })
  .describe('The point master next to the simulator sends the balances that changed; with --with-point-master');

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
