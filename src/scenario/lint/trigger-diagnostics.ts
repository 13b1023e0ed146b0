/** What is wrong with a step that lets something happen inside the service. */
import { triggerEvents } from '../../service/trigger-names.ts';
import { triggerSchema } from '../../service/triggers.ts';
import { validateKnownFields, validateFieldNames } from '../../core/validation/schema-diagnostics.ts';
import type { Diagnostic } from '../../core/validation/schema-diagnostics.ts';
import { getField } from '../../core/validation/lenient-parse.ts';
import { findPlaceholders } from '../steps/placeholders.ts';

/** Nothing about an event that there isn't, which the step's own schema tells, nor about what is filled in later. */
export function lintTriggerStep(step: unknown): Diagnostic[] {
  const trigger = getField(step, 'trigger');
  const event = getField(trigger, 'event');
  if (!triggerEvents.some((known) => known === event)) return [];
  const isThere = ({ path: [name = ''] }: Diagnostic): boolean =>
    findPlaceholders(getField(trigger, String(name))).length === 0;
  const found = [
    ...validateKnownFields(triggerSchema, trigger).filter(isThere),
    ...validateFieldNames(triggerSchema, trigger),
  ];
  return found.map(({ path, message }) => ({ path: ['trigger', ...path], message }));
}
