/** What came with a call and is looked at by nobody, though whoever sent it may count on it. */
import type { Endpoint } from '../core/endpoint.ts';
import { hasBody } from './body.ts';
import { headerOf } from './context.ts';
import type { AppContext } from './context.ts';
import type { Caller } from './mount.ts';

const repetitionKey = 'idempotency-key';

/** Says what of a call is not read; which of its fields that are is said where they are parsed. */
export function reportUnread<Context>(c: AppContext, endpoint: Endpoint<Context>, caller: Caller<Context>): void {
  if (caller.fieldValidation === 'ignore') return;
  const { method, path, body, headers = {}, retry } = endpoint;
  const called = `${method} ${path}`;
  if (!body && hasBody(c)) caller.warn('unread-body', `${called} takes no body; what was sent as one is not read`);
  // Where nothing is changed, nobody counts on it.
  if (retry === 'read' || repetitionKey in headers || headerOf(c, repetitionKey) === undefined) return;
  caller.warn(
    'unread-header',
    `${called} does not read the header ${repetitionKey}; a repetition counts as a call of its own`,
  );
}
