/** Defines a row of the table of client programs: what runs, what goes wrong, and what a strict but fair reviewer says of it. */
import type { RuleSpec } from '../../../src/faults/rule-schema.ts';

/** NOTED is a PASS with a note by one of the rules named. */
type ExpectedVerdict = 'PASS' | 'NOTED' | 'FAIL' | 'INCONCLUSIVE';

interface Expectation {
  /** One, or several that are all fair. */
  readonly verdict: ExpectedVerdict | readonly ExpectedVerdict[];
  /** The rules that have to fail (or to note); `R5|R10` is satisfied by either. */
  readonly rules?: readonly string[];
  /** Other rules that may fail too; a finding by any other rule is false advice. */
  readonly also?: readonly string[];
  /** What the verdict has to mention somewhere. */
  readonly says?: RegExp;
}

export interface ClientProgram {
  /** Names the tenant too. */
  readonly name: string;
  readonly language: 'JavaScript' | 'shell' | 'Python' | 'Java' | 'PHP' | 'Ruby' | 'Perl' | 'Go';
  /** Commands and modules without which it is skipped: `php`, `python3:requests`. */
  readonly needs: readonly string[];
  /** A file of `programs` and its arguments; several one after the other, or side by side (a list within the list). */
  readonly run: string | readonly (string | readonly string[])[];
  /** The proxy between it and the service. */
  readonly via?: 'nginx' | 'nginx-retrying' | 'haproxy' | 'haproxy-retrying';
  readonly rules?: readonly RuleSpec[];
  readonly policy?: Readonly<Record<string, unknown>>;
  readonly expected: Expectation;
  readonly why: string;
  /** What was expected first, where a second thought changed it; `why` gives the reason. */
  readonly first?: Expectation;
  /** The verdict is wrong today. */
  readonly knownWrong?: true;
}

/** Holds the faults of a response that is lost, and of a request that never arrives. */
export const lost = { phase: 'after', respond: 'none', end: 'reset' } as const;
export const unreached = { respond: 'none', end: 'reset' } as const;

/** Holds a response that is lost by a clean end of the connection. */
export const closed = { phase: 'after', respond: 'none', end: 'close' } as const;

/** Lets an endpoint fail in turn. */
export const on = (endpoint: string, ...fault: readonly unknown[]): RuleSpec =>
  ({ match: { endpoint }, fault }) as RuleSpec;

/** Lets it work some times first. */
export const later = (endpoint: string, skip: number, ...fault: readonly unknown[]): RuleSpec =>
  ({ match: { endpoint }, skip, fault }) as RuleSpec;

export const repeated = (count: number, fault: unknown): readonly unknown[] =>
  Array.from({ length: count }, () => fault);

export const pass = { verdict: 'PASS' } as const;
/** Expects nothing that blames the client: what it did is right, or nobody can tell. */
export const harmless = { verdict: ['PASS', 'NOTED'] } as const;
export const open = { verdict: ['PASS', 'NOTED', 'INCONCLUSIVE'] } as const;
export const fail = (rules: readonly string[], also: readonly string[] = []): Expectation => ({
  verdict: 'FAIL',
  rules,
  also,
});
