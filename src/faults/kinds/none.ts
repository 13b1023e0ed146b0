import { defineFaultKind, nothing } from './fault-kind.ts';

export const none = defineFaultKind({
  name: 'none',
  description: 'nothing',
  aliases: {
    CONNECTION_RESET_BY_PEER: { respond: 'none', end: 'reset', description: 'no response, and a TCP reset' },
    EMPTY_RESPONSE: { respond: 'none', end: 'close', description: 'no response, and a closed connection' },
  },
  fields: {},
  source: 'none',
  isComplete: false,
  hasBody: false,
  alter: nothing,
  example: { phase: 'after', respond: 'none', end: 'reset' },
  choices: [
    { value: 'reset', label: 'connection reset', fault: { respond: 'none', end: 'reset' } },
    { value: 'close', label: 'closed without a response', fault: { respond: 'none', end: 'close' } },
    { value: 'hang', label: 'left hanging', fault: { respond: 'none', end: 'hang' } },
  ],
});
