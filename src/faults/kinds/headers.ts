import { beginning, defineFaultKind } from './fault-kind.ts';

export const headers = defineFaultKind({
  name: 'headers',
  description: 'status line and headers, with the `Content-Length` of the whole body',
  fields: {},
  source: 'either',
  isComplete: false,
  hasBody: false,
  alter: (response) => beginning(response, () => 0),
  example: { respond: 'headers', end: 'hang' },
  choices: [{ value: 'headers', label: 'headers without their body', fault: { respond: 'headers', end: 'close' } }],
});
