import { bytesField } from './bytes-field.ts';
import { beginning, defineFaultKind, hasNoBody } from './fault-kind.ts';

export const partial = defineFaultKind({
  name: 'partial',
  description: 'the same, and the first `bytes` of the body (default: half of it), never all',
  fields: bytesField,
  source: 'either',
  isComplete: false,
  hasBody: true,
  diagnose: ({ status }) =>
    hasNoBody(status) ? [{ field: 'respond', message: `can't be partial of status ${status}, which has no body` }] : [],
  alter: (response, { options: { bytes } }) =>
    beginning(response, (whole) => Math.min(bytes ?? Math.floor(whole / 2), Math.max(whole - 1, 0))),
  example: { phase: 'after', respond: 'partial', end: 'reset' },
  choices: [{ value: 'partial', label: 'half of the response', fault: { respond: 'partial', end: 'close' } }],
});
