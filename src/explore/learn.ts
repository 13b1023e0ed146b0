/** Learns what a client does without faults, from two runs of it. */
import type { Tenant } from '../core/tenant/tenant.ts';
import { checkReference } from '../verdict/state/reference.ts';
import { basisOf } from './past.ts';
import type { LearnedBasis } from './past.ts';
import type { RunResult } from './run.ts';

/** Describes a run whose tenant is still open. */
export type KeptRun = RunResult & { readonly tenant: Tenant };

export interface Learned {
  /** Its tenant has the state that others are compared with; whoever learned closes it. */
  readonly first: KeptRun;
  /** Holds the other run, whose tenant is closed; undefined where the first one was enough. */
  readonly second: RunResult | undefined;
  /** Holds the last run, which shows what is wrong if something is. */
  readonly last: RunResult;
  /** Says why that is not enough to go on, if it is not. */
  readonly wrong: string | undefined;
  /** True when both runs left the same state, so that another one proves something. */
  readonly comparesState: boolean;
  readonly notes: readonly string[];
  /** Lets a later exploration tell what has changed; undefined where there is no going on. */
  readonly basis: LearnedBasis | undefined;
}

interface Learner {
  /** Runs the client without faults. */
  readonly run: () => Promise<KeptRun>;
  readonly closeTenant: (tenant: Tenant) => void;
}

/** Runs the client twice without faults; once, if that already shows why there is no going on. */
export async function learn({ run, closeTenant }: Learner): Promise<Learned> {
  const first = await run();
  const stopped = { first, second: undefined, last: first, comparesState: false, notes: [], basis: undefined };
  const wrong = reasonToStop(first);
  if (wrong !== undefined) return { ...stopped, wrong };
  const second = await run();
  const { verdict } = checkReference(second.tenant, first.tenant);
  closeTenant(second.tenant);
  const wrongAgain = reasonToStop(second);
  if (wrongAgain !== undefined) return { ...stopped, last: second, wrong: wrongAgain };
  const comparesState = verdict === 'PASS';
  const notes = [...(comparesState ? [] : [stateNote]), ...differenceNotes(first, second)];
  const basis = basisOf(first.tenant, first.calls, second.calls);
  return { first, second, last: second, wrong: undefined, comparesState, notes, basis };
}

const stateNote =
  'The state is not compared: two runs without faults left different states, so that a difference proves nothing.';

function differenceNotes(first: RunResult, second: RunResult): string[] {
  const [left, right] = [idsOf(first), idsOf(second)];
  const differing = [...left.filter((id) => !right.includes(id)), ...right.filter((id) => !left.includes(id))];
  if (differing.length === 0) return [];
  const shown = `${differing.slice(0, 3).join(', ')}${differing.length > 3 ? ' …' : ''}`;
  return [
    `Two runs without faults sent different requests (${shown}): points at those are tried as far as they are met.`,
  ];
}

const idsOf = ({ calls }: RunResult): string[] => calls.map(({ id }) => id);

/** Returns why nothing can be learned from a run without faults. */
export function reasonToStop({ end, symptoms, calls, verdict }: RunResult): string | undefined {
  if (end.isTimedOut) return 'the client does not end by itself, without any fault; set a longer timeout, or end it';
  if (end.failure !== undefined) return `the client fails without any fault: ${end.failure}`;
  if (calls.length === 0)
    return 'the client sent no request that the service serves: does it take its base URL from where it is given?';
  const [wrong] = symptoms;
  if (wrong) return `the client breaks a rule without any fault: ${wrong.rule} ${wrong.message}`;
  return verdict.evicted > 0 ? 'the journal had to drop requests: raise journalBytes' : undefined;
}
