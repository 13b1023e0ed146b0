/** What came with a call and is looked at by nobody, though whoever sent it may count on it. */
import type { Endpoint } from '../core/endpoint.ts';
import { hasBody } from './body.ts';
import { headerOf } from './context.ts';
import type { AppContext } from './context.ts';
import type { Caller } from './mount.ts';

/** Headers that would change what a call does. */
const meaningful = ['idempotency-key', 'x-http-method-override'];

/** Says what of a call is not read; which of its fields that are is said where they are parsed. */
export function reportUnread<Context>(c: AppContext, endpoint: Endpoint<Context>, caller: Caller<Context>): void {
  if (caller.fieldValidation === 'ignore') return;
  const { method, path, body, headers = {}, retry } = endpoint;
  const called = `${method} ${path}`;
  if (!body && hasBody(c)) caller.warn('unread-body', `${called} takes no body; what was sent as one is not read`);
  // Clients that send a key along with every call lose nothing by it where nothing is changed.
  if (retry === 'read') return;
  for (const name of meaningful) {
    if (name in headers || headerOf(c, name) === undefined) continue;
    caller.warn('unread-header', `${called} does not read the header ${name}; it changes nothing`);
  }
}
