/** What came with a call and is looked at by nobody, though whoever sent it may count on it. */
import type { Endpoint } from '../../core/exchange/endpoint.ts';
import { hasBody } from './request-body.ts';
import { headerOf } from '../context.ts';
import type { AppContext } from '../context.ts';
import type { RequestScope } from './request-scope.ts';

const idempotencyHeader = 'idempotency-key';

/** Says what of a call is not read; which of its fields that are is said where they are parsed. */
export function reportIgnoredInput<Context>(
  c: AppContext,
  endpoint: Endpoint<Context, unknown>,
  caller: RequestScope<Context>,
): void {
  if (caller.fieldValidation === 'ignore') return;
  const { method, path, body, headers = {}, retry } = endpoint;
  const called = `${method} ${path}`;
  if (!body && hasBody(c)) caller.warn('unread-body', `${called} takes no body; what was sent as one is not read`);
  // Where nothing is changed, nobody counts on it.
  if (retry === 'safe' || idempotencyHeader in headers || headerOf(c, idempotencyHeader) === undefined) return;
  caller.warn(
    'unread-header',
    `${called} does not read the header ${idempotencyHeader}; a repetition counts as a call of its own`,
  );
}
