/** What is wrong with a step that lets something happen inside the service. */
import { triggerEvents } from '../resources/trigger-events.ts';
import { triggerSchema } from '../resources/trigger.ts';
import { issueFindings, unknownFindings } from './findings.ts';
import type { Finding } from './findings.ts';
import { fieldOf } from './legible.ts';
import { namesIn } from './placeholders.ts';

/** Nothing about an event that there isn't, which the step's own schema tells, nor about what is filled in later. */
export function triggerFindings(step: unknown): Finding[] {
  const trigger = fieldOf(step, 'trigger');
  const event = fieldOf(trigger, 'event');
  if (!triggerEvents.some((known) => known === event)) return [];
  const isThere = ({ path: [name = ''] }: Finding): boolean => namesIn(fieldOf(trigger, String(name))).length === 0;
  const found = [...issueFindings(triggerSchema, trigger).filter(isThere), ...unknownFindings(triggerSchema, trigger)];
  return found.map(({ path, message }) => ({ path: ['trigger', ...path], message }));
}
