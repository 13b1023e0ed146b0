/** Lists kinds of faults, and what each promises the client. */

/** Describes what a client sees of a response, and how its connection ends. */
export interface Seen {
  /** Is undefined where not even a status line came. */
  readonly status: number | undefined;
  /** Holds the length that the response declares; undefined where it declares none. */
  readonly length: number | undefined;
  /** Holds what came, byte by byte. */
  readonly body: string;
  /** Is `hang` when it was open and silent until the fault was taken back. */
  readonly end: 'open' | 'close' | 'reset' | 'hang';
}

/** Describes the response that there would be without a fault. */
export interface Real {
  readonly status: number;
  /** Holds the body byte by byte, as `Seen` has it. */
  readonly body: string;
}

export interface Kind {
  readonly name: string;
  readonly fault: Readonly<Record<string, unknown>>;
  readonly promise: (real: Real) => Seen;
}

const ends = ['close', 'reset', 'hang'] as const;

const silence = { status: undefined, length: undefined, body: '' };

const whole = ({ status, body }: Real) => ({ status, length: body.length, body });

const partOf = (real: Real, bytes: number) => ({
  ...whole(real),
  body: real.body.slice(0, bytes),
});

const halfOf = (real: Real) => partOf(real, Math.floor(real.body.length / 2));

/** Returns the half of a body as it looks as a chunk with a malformed one behind it. */
function spoilt(real: Real) {
  const { status, body } = halfOf(real);
  return { status, length: undefined, body: `${body.length.toString(16)}\r\n${body}\r\nzz\r\n` };
}

const ownAnswer = { status: 503, body: { closed: 'for stocktaking' } };
const own: Real = { status: 503, body: '{"closed":"for stocktaking"}' };

/** Lists one kind for each end, in addition to those that end as usual. */
export const kinds: readonly Kind[] = [
  { name: 'late', fault: { delay: 1 }, promise: (real) => ({ ...whole(real), end: 'open' }) },
  {
    name: 'dribbled',
    fault: { dribble: { chunks: 3, interval: 1 } },
    promise: (real) => ({ ...whole(real), end: 'open' }),
  },
  { name: 'another answer', fault: ownAnswer, promise: () => ({ ...whole(own), end: 'open' }) },
  {
    name: 'an answer without a body',
    fault: { status: 204 },
    promise: () => ({ status: 204, length: undefined, body: '', end: 'open' }),
  },
  {
    name: 'one byte',
    fault: { respond: 'partial', bytes: 1, end: 'close' },
    promise: (real) => ({ ...partOf(real, 1), end: 'close' }),
  },
  ...ends.flatMap((end): Kind[] => [
    { name: `whole, ${end}`, fault: { respond: 'full', end }, promise: (real) => ({ ...whole(real), end }) },
    { name: `another answer, ${end}`, fault: { ...ownAnswer, end }, promise: () => ({ ...whole(own), end }) },
    { name: `nothing, ${end}`, fault: { respond: 'none', end }, promise: () => ({ ...silence, end }) },
    {
      name: `headers, ${end}`,
      fault: { respond: 'headers', end },
      promise: (real) => ({ ...whole(real), body: '', end }),
    },
    { name: `a part, ${end}`, fault: { respond: 'partial', end }, promise: (real) => ({ ...halfOf(real), end }) },
    {
      name: `a bad chunk, ${end}`,
      fault: { respond: 'bad-chunk', end },
      promise: (real) => ({ ...spoilt(real), end }),
    },
    {
      name: `garbage, ${end}`,
      fault: { respond: 'garbage', bytes: 20, end },
      promise: () => ({ ...silence, body: 'garbage', end }),
    },
  ]),
];
