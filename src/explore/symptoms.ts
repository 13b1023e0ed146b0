/** Tells from a verdict what is wrong with a client, and which faults led to it. */
import type { Tenant } from '../core/tenant/tenant.ts';
import { compareWithReference } from '../verdict/state/reference.ts';
import type { Reference, StateDifference } from '../verdict/state/reference.ts';
import type { Verdict } from '../verdict/verdict.ts';
import type { OperationJson } from '../verdict/verdict-json.ts';
import { hitsIn, pointId } from './experiment.ts';
import type { Experiment, Hit } from './experiment.ts';
import type { Call } from './trace.ts';

/** Describes something that is wrong with the client, as one run shows it. */
export interface Symptom {
  /**
   * Is one of R1 to R16; `state` for a state that differs from that without faults, `check` for an expectation, `end`
   * for a client that does not end.
   */
  readonly rule: string;
  readonly title: string;
  /** Names the endpoint of the operation; empty where it is about none. */
  readonly endpoint: string;
  readonly message: string;
  readonly advice: string;
  /** Lists the ids of requests in the journal of the run. */
  readonly requests: readonly string[];
  /** Holds the faults that hit the operation. */
  readonly hits: readonly Hit[];
}

/** True when two runs show the same thing. */
export const isSameSymptom = (
  one: Pick<Symptom, 'rule' | 'endpoint' | 'title'>,
  other: Pick<Symptom, 'rule' | 'endpoint' | 'title'>,
): boolean =>
  one.rule === other.rule && one.endpoint === other.endpoint && (one.rule !== 'check' || one.title === other.title);

/** Holds what the operations of a run are read with. */
export interface OperationContext {
  readonly places: ReadonlyMap<string, Call>;
  readonly experiment: Experiment;
}

const hitsOn = ({ attempts }: OperationJson, { places, experiment }: OperationContext): Hit[] =>
  hitsIn(
    attempts.flatMap(({ request }) => {
      const call = places.get(request);
      return call ? [call] : [];
    }),
    experiment,
  );

/** Returns what the rules failed an operation for; at another level, what else they say of it. */
export function symptomsOf(
  operation: OperationJson,
  context: OperationContext,
  wanted: OperationJson['findings'][number]['level'] = 'fail',
): Symptom[] {
  return operation.findings
    .filter(({ level }) => level === wanted)
    .map(({ rule, title, message, advice, requests }) => ({
      rule,
      title,
      endpoint: operation.endpoint ?? '',
      message,
      advice,
      requests,
      hits: hitsOn(operation, context),
    }));
}

/** Returns the expectations that were not met. */
export const failedChecks = ({ checks }: Verdict): Symptom[] =>
  checks
    .filter(({ verdict }) => verdict === 'FAIL')
    .map(({ description, reason, requests }) => ({
      rule: 'check',
      title: description,
      endpoint: '',
      message: reason,
      advice: 'See what the scenario expects, and what the client sent.',
      requests,
      hits: [],
    }));

/** Says that a client was ended because it waited for a response. */
export const waitsForGood = 'the client waits without an end for a response that never comes';

export const neverEnds = (hits: readonly Hit[], message = 'the client had not ended in time'): Symptom => ({
  rule: 'end',
  title: 'the client ends',
  endpoint: hits.at(-1)?.endpoint ?? '',
  message,
  advice: 'Give every request a timeout, and every loop of retries an end.',
  requests: [],
  hits: hits.slice(-1),
});

/** Returns how the state differs from that of the run without faults: twice, missing, or on another contact. */
export function differencesFrom(reference: Reference, tenant: Tenant, { hits, extent }: StateContext): Symptom[] {
  const differences = compareWithReference(tenant, reference).found;
  const found = differences.filter(({ kind }) => comparedKinds[extent].includes(kind));
  if (found.length === 0) return [];
  return [
    {
      rule: 'state',
      title: 'the state is as without faults',
      endpoint: hits.at(-1)?.endpoint ?? '',
      message: found.map(({ text }) => text).join('; '),
      advice:
        'No rule about requests was broken, and yet the work is not what it is without faults: see which request is repeated, left out, or sent with other content.',
      requests: [],
      hits,
    },
  ];
}

interface StateContext {
  readonly hits: readonly Hit[];
  readonly extent: StateExtent;
}

/**
 * Says how much of the state is compared. `whole`: the client learned all that it asked for. `not-more`: it did not, and
 * may rightly do less. `contacts`: something was refused, and it may do something else, but the same for nobody else.
 */
export type StateExtent = 'whole' | 'not-more' | 'contacts';

const comparedKinds: Readonly<Record<StateExtent, readonly StateDifference['kind'][]>> = {
  whole: ['misplaced', 'extra', 'other'],
  'not-more': ['misplaced', 'extra'],
  contacts: ['misplaced'],
};

/** True when the only doubt is whether the work was meant to be done as often as it was. */
export const isDoneAtLeastOnce = ({ verdict, findings }: OperationJson): boolean =>
  verdict === 'INCONCLUSIVE' &&
  findings.every(({ level, rule }) => level !== 'inconclusive' || rule === 'R10' || rule === 'R14');

interface DoubtContext extends OperationContext {
  /** True when the state is as without faults, which says how often the work was meant to be done. */
  readonly isStateAsMeant: boolean;
}

/** Returns why the verdict is not sure, for each point that it is not sure about. */
export function doubtsOf(
  { operations }: Verdict,
  { isStateAsMeant, ...context }: DoubtContext,
): ReadonlyMap<string, string> {
  const doubts = new Map<string, string>();
  for (const operation of operations) {
    if (isStateAsMeant && isDoneAtLeastOnce(operation)) continue;
    const doubt = operation.findings.find(({ level }) => level === 'inconclusive');
    if (doubt && operation.verdict === 'INCONCLUSIVE')
      for (const hit of hitsOn(operation, context)) doubts.set(pointId(hit), doubt.message);
  }
  return doubts;
}
