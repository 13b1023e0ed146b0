/** The defects that are planted in a till, each with the rules that may find it. */
export const defects = {
  'drops a write after 500 and 504': ['R1', 'R9'],
  'drops a write without a response': ['R1', 'R9'],
  'does not repeat reads': ['R1', 'R15'],
  'draws a new key for each attempt': ['R5', 'R10'],
  'changes the content of each attempt': ['R4'],
  'dates each attempt anew': ['R4'],
  'books the repeat on another customer': ['R4', 'R10', 'R16'],
  'pauses too briefly': ['R6'],
  'ignores Retry-After': ['R6'],
  'repeats blindly what has no key': ['R11', 'R10'],
  'repeats a 400 unchanged': ['R3'],
  'repeats a 404': ['R2'],
  'repeats what succeeded': ['R2'],
  'sends every write twice at once': ['R8', 'R2', 'R10'],
  'tries more often than declared': ['R7'],
  'has no fallback': ['R9', 'R1'],
  'delivers the newest first': ['R9'],
  'delivers its queue twice': ['R9', 'R2'],
  'delivers its queue under new keys': ['R5', 'R9', 'R10'],
  'loses its queue on a restart': ['R13', 'R9', 'R1'],
  'takes a failed look for "not there"': ['R15', 'R11', 'R10'],
  'redeems the next coupon after "already redeemed"': ['R5', 'R10'],
} as const;

export type Defect = keyof typeof defects;
