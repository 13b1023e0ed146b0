import { defineFaultKind, entire } from './fault-kind.ts';

/** Lists the statuses that clients meet; rules can have any. */
const usual = [500, 502, 503, 504, 429, 408, 401, 403, 404, 409];

export const status = defineFaultKind({
  name: 'status',
  description: 'a response with `status`, and `body` or the service’s error body for it',
  fields: {},
  source: 'own',
  isComplete: true,
  hasBody: true,
  diagnose: ({ status: given }) =>
    given === undefined ? [{ field: 'status', message: 'is required: the status to respond with, as 504' }] : [],
  alter: entire,
  example: { status: 429, headers: { 'Retry-After': '5' } },
  choices: usual.map((code) => ({ value: String(code), label: `status ${code}`, fault: { status: code } })),
});
