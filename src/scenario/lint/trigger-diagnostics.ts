/** Reports what is wrong with a step that triggers an event inside the service. */
import { under } from '../../core/validation/diagnostic.ts';
import { triggerEvents } from '../../service/trigger-names.ts';
import { triggerSchema } from '../../service/triggers.ts';
import { validateKnownFields, validateFieldNames } from '../../core/validation/schema-diagnostics.ts';
import type { Diagnostic } from '../../core/validation/diagnostic.ts';
import { getField } from '../../core/validation/lenient-parse.ts';
import { findPlaceholders } from '../steps/placeholders.ts';

/** Skips unknown events, which the step's own schema reports, and fields with placeholders, which are filled in later. */
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
  return found.map(under('trigger'));
}
