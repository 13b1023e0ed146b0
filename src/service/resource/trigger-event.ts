import * as z from '../../core/validation/deferred-zod.ts';
import type { TenantContext } from '../../core/tenant/context.ts';
import { expectedType, integer, requiredText } from '../../core/validation/field-types.ts';

/** Describes something that happens inside the service, and not through its API. */
export interface TriggerEvent {
  readonly schema: z.core.$ZodTypeDiscriminable;
  /** Lists the codes of the errors that it may be refused with. */
  readonly errors: readonly string[];
  /** Lets it happen; to be called with what the schema parsed. */
  readonly apply: (tenant: TenantContext, input: never) => unknown;
}

interface TriggerEventOptions<Schema extends z.core.$ZodTypeDiscriminable> extends Omit<
  TriggerEvent,
  'schema' | 'apply'
> {
  /**
   * Is a strict object with the event's name as the literal `event`; each described field has a flag of the command.
   */
  readonly schema: Schema;
  readonly apply: (tenant: TenantContext, input: z.output<Schema>) => unknown;
}

export const triggerEvent = <Schema extends z.core.$ZodTypeDiscriminable>(
  options: TriggerEventOptions<Schema>,
): TriggerEvent => options;

/** Reads the contact that an event is about: an id, or a memberNumber. */
export const triggerContactId = requiredText.describe('Contact that the event is about');

export const triggerPointDefinitionId = z
  .union([integer, requiredText], expectedType('the id of a point definition, a whole number'))
  .describe('Definition of points');
