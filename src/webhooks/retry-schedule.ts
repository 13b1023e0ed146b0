/** Decides the status of a delivery by its attempts. */
import { toTimestamp } from '../core/time/clock.ts';
import type { Instant } from '../core/time/clock.ts';
import type { WebhookAttempt, WebhookDelivery } from '../core/tenant/webhook-outbox.ts';
import { redactUrl } from '../core/exchange/redaction.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** Holds the pauses before each retry, on the tenant's clock. */
const pauses = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour];

/** A response after this time does not count, in ms of real time. */
export const responseTimeout = 15 * second;

interface RetryContext {
  readonly now: Instant;
  readonly assumptions: Readonly<Record<string, string>>;
}

export const isSuccess = ({ status = 0, error }: Pick<WebhookAttempt, 'status' | 'error'>): boolean =>
  error === undefined && status >= 200 && status < 300;

/** Returns the delivery after one more attempt. */
export function applyAttempt(
  delivery: WebhookDelivery,
  attempt: WebhookAttempt,
  { now, assumptions }: RetryContext,
): WebhookDelivery {
  const attempts = [...delivery.attempts, attempt];
  if (isSuccess(attempt)) return { ...delivery, attempts, status: 'delivered' };
  const made = attempts.slice(delivery.attemptsBefore).filter(({ fault }) => fault !== 'duplicate');
  const retries = made.length - 1;
  const pause = assumptions['A-49'] === 'once' ? undefined : pauses[retries];
  if (pause === undefined) return { ...delivery, attempts, status: 'failed' };
  return { ...delivery, attempts, dueAt: now + pause };
}

/** Describes the failure of the last attempt; undefined when it delivered. */
export function describeFailure(
  { id, eventType, status, dueAt, attempts }: WebhookDelivery,
  url: string,
): string | undefined {
  const error = attempts.at(-1)?.error;
  if (error === undefined) return undefined;
  const next = status === 'pending' ? `it is tried again at ${toTimestamp(dueAt)}` : 'it is given up';
  return `webhook ${eventType} ${id} to ${redactUrl(url)} failed at attempt ${attempts.length}: ${error}; ${next}.`;
}
