import { defineFaultKind, entire } from './fault-kind.ts';

export const full = defineFaultKind({
  name: 'full',
  description: 'the service’s own response; use it for a delay, a slow body, or an `end`',
  aliases: { ok: { respond: 'full', description: 'no fault: the request goes through' } },
  fields: {},
  source: 'service',
  isComplete: true,
  hasBody: true,
  alter: entire,
  example: { delay: '20s' },
  choices: [{ value: 'late', label: 'the real response, late', fault: { respond: 'full' } }],
});
