/** Combines events that come with every request, for a reader who only needs to know that something has changed. */
import { monotonicNow, startTimer } from '../../core/time/clock.ts';
import type { EmitEvent, EventName } from './event-schemas.ts';

const combinedNames: ReadonlySet<EventName> = new Set([
  'request.received',
  'request.completed',
  'request.updated',
  'rule.fired',
  'queue.changed',
  'webhook.attempted',
] as const);

/**
 * Returns a function that emits one `events.combined` for all such events within so many ms of real time. The first
 * after a pause is emitted at once, and other events after those before them.
 */
export function combineEvents(emit: EmitEvent, milliseconds: number): { readonly emit: EmitEvent; stop: () => void } {
  let counts: Partial<Record<EventName, number>> = {};
  let emittedAt = -Infinity;
  let callOff: (() => void) | undefined;
  const flush = (): void => {
    callOff?.();
    callOff = undefined;
    const combined = counts;
    if (Object.keys(combined).length === 0) return;
    counts = {};
    emittedAt = monotonicNow();
    emit('events.combined', () => combined);
  };
  return {
    emit: (event, data, id) => {
      if (!combinedNames.has(event)) {
        flush();
        emit(event, data, id);
        return;
      }
      counts[event] = (counts[event] ?? 0) + 1;
      callOff ??= startTimer(Math.max(0, emittedAt + milliseconds - monotonicNow()), flush);
    },
    stop: () => callOff?.(),
  };
}
