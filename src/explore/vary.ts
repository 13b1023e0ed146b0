/** Runs what was found, and what passed, under the variants of the assumptions that it rests on. */
import type { Tenant } from '../core/tenant/tenant.ts';
import { otherVariants } from '../service/assumptions/variants.ts';
import { experimentFor } from './experiment.ts';
import type { Experiment, Kill } from './experiment.ts';
import { reasonToStop } from './learn.ts';
import type { KeptRun } from './learn.ts';
import { maxUndecided } from './run.ts';
import type { RunResult } from './run.ts';
import { isSameSymptom } from './symptoms.ts';
import type { Symptom } from './symptoms.ts';

/** `differs`: without faults it leaves another state. `unclear`: the run proves nothing. `not-varied`: the budget was over. */
export const variantOutcomes = ['passes', 'fails', 'differs', 'unclear', 'not-varied'] as const;

/** Describes a run under a variant of one assumption, and how it went. */
export interface VariedRun {
  readonly assumption: string;
  /** Names the variant of all other runs. */
  readonly inForce: string;
  readonly variant: string;
  /** Says what goes wrong in it besides. */
  readonly title: string;
  readonly outcome: (typeof variantOutcomes)[number];
  /** Holds the number of the run, if there was one. */
  readonly run?: number;
  /** Says what is wrong where it fails otherwise than expected, or why it is not clear. */
  readonly reason?: string | undefined;
}

/** Holds what becomes of a finding, or of what passed, when an assumption is another one. */
export interface Variation {
  /** Holds the id of the finding; undefined for what passed. */
  readonly finding: string | undefined;
  readonly runs: readonly VariedRun[];
}

type Passed = Pick<RunResult, 'experiment' | 'hits' | 'assumptions'>;

/** Keeps, for each assumption, a run that passed and rests on it: the one with the fewest faults. */
export class PassedRuns {
  readonly #byAssumption = new Map<string, Passed>();

  note({ experiment, hits, assumptions, symptoms, doubts }: RunResult): void {
    if (symptoms.length + doubts.size > 0) return;
    for (const id of assumptions) {
      const known = this.#byAssumption.get(id);
      if (!known || hits.length < known.hits.length) this.#byAssumption.set(id, { experiment, hits, assumptions });
    }
  }

  *[Symbol.iterator](): Generator<readonly [assumption: string, passed: Passed]> {
    yield* this.#byAssumption;
  }
}

/** Describes a finding, as far as it is needed to try it again. */
export interface FoundBefore
  extends Pick<Symptom, 'rule' | 'endpoint' | 'title' | 'hits'>, Pick<RunResult, 'assumptions'> {
  readonly id: string;
  readonly kill?: Kill | undefined;
  readonly reproduced: { readonly shown: number; readonly of: number };
}

interface VaryOptions {
  /** Holds the run without faults. */
  readonly clean: RunResult;
  readonly passed: PassedRuns;
  readonly findings: readonly FoundBefore[];
  readonly inForce: (assumption: string) => string;
  /** True for an assumption that can't be varied. */
  readonly isFixed: (assumption: string) => boolean;
  /** Is called with the number of runs before the first of them. */
  readonly onPlanned?: (runs: number) => void;
  /** Runs an experiment, compared with a reference (default: the run without faults); nothing when the time is up. */
  readonly run: (experiment: Experiment, reference?: Tenant) => Promise<KeptRun | undefined>;
  readonly closeTenant: (tenant: Tenant) => void;
}

/** Describes what is run under one variant of one assumption. */
interface Case extends Pick<VariedRun, 'assumption' | 'inForce' | 'variant'> {
  readonly experiment: Experiment;
  /** Holds the finding that is to show again; undefined where the run is to pass. */
  readonly finding: FoundBefore | undefined;
}

type Judged = Pick<VariedRun, 'outcome' | 'reason'>;

/** Returns what became of the findings and of what passed, under each variant of their assumptions. */
export async function varyAssumptions(options: VaryOptions): Promise<Variation[]> {
  const { clean, passed, findings, onPlanned, closeTenant } = options;
  const casesOf = (ids: Iterable<string>, rest: Pick<Case, 'experiment' | 'finding'>): Case[] =>
    [...ids].toSorted().flatMap((assumption) => {
      if (options.isFixed(assumption)) return [];
      const inForce = options.inForce(assumption);
      return otherVariants(assumption, inForce).map((variant) => ({ assumption, inForce, variant, ...rest }));
    });
  const cleanCases = casesOf(clean.assumptions, { experiment: clean.experiment, finding: undefined });
  const passedCases = [...passed]
    .filter(([id]) => !clean.assumptions.has(id))
    .flatMap(([id, { experiment }]) => casesOf([id], { experiment, finding: undefined }));
  const findingCases = findings.map((finding) => ({
    finding,
    cases: casesOf(finding.assumptions, { experiment: experimentOf(finding), finding }),
  }));
  onPlanned?.(cleanCases.length + passedCases.length + findingCases.flatMap(({ cases }) => cases).length);
  const references = new Map(cleanCases.map((one) => [nameOf(one), tryCase(one, options)] as const));
  const tryAll = (cases: readonly Case[]): Promise<VariedRun[]> =>
    Promise.all(
      cases.map(async (one) => {
        const reference = await references.get(nameOf(one));
        const { varied, tenant } = await tryCase(one, options, reference);
        if (tenant) closeTenant(tenant);
        return varied;
      }),
    );
  const variations = await Promise.all([
    tryAll(passedCases).then(async (runs) => ({
      finding: undefined,
      runs: [...(await Promise.all(references.values())).map(({ varied }) => varied), ...runs],
    })),
    ...findingCases.map(async ({ finding: { id: finding }, cases }) => ({ finding, runs: await tryAll(cases) })),
  ]);
  for (const { tenant } of await Promise.all(references.values())) if (tenant) closeTenant(tenant);
  return variations;
}

const nameOf = ({ assumption, variant }: Case): string => `${assumption}=${variant}`;

const experimentOf = ({ hits, kill }: FoundBefore): Experiment => ({
  ...experimentFor('as it was found', 1, hits),
  kill,
});

interface Tried {
  readonly varied: VariedRun;
  /** Holds the tenant of the last run, which is to be closed. */
  readonly tenant?: Tenant;
}

/** Runs a case; whatever is not as without the variant is run once more, for a chance proves nothing. */
async function tryCase(
  one: Case,
  { run, closeTenant }: Pick<VaryOptions, 'run' | 'closeTenant'>,
  reference?: Tried,
): Promise<Tried> {
  const { assumption, inForce, variant, finding } = one;
  const experiment = { ...one.experiment, assumptions: { [assumption]: variant } };
  const { title } = experiment;
  const variedRun = (judged: Judged, number?: number): VariedRun => ({
    ...judged,
    assumption,
    inForce,
    variant,
    title,
    ...(number !== undefined && { run: number }),
  });
  const notVaried = { varied: variedRun({ outcome: 'not-varied' }) };
  // Without that run nothing could be compared with this one.
  if (reference?.varied.outcome === 'not-varied') return notVaried;
  const expected = finding ? 'fails' : 'passes';
  let last: { readonly judged: Judged; readonly result: KeptRun } | undefined;
  for (let i = 0; i < maxUndecided; i++) {
    const result = await run(experiment, reference?.tenant);
    if (!result) break;
    const judged = judge(one, result, reference?.varied);
    if (last) closeTenant(last.result.tenant);
    const isSettled = judged.outcome === expected || judged.outcome === last?.judged.outcome;
    last = { judged, result };
    if (isSettled) break;
  }
  if (!last) return notVaried;
  return { varied: variedRun(last.judged, last.result.number), tenant: last.result.tenant };
}

function judge({ finding, experiment }: Case, result: RunResult, reference: VariedRun | undefined): Judged {
  const isClean = experiment.rules.length === 0 && experiment.kill === undefined;
  if (isClean) {
    const [symptom] = result.symptoms;
    // The service may do something else with the same requests, which is no defect of the client.
    if (symptom?.rule === 'state') return { outcome: 'differs', reason: symptom.message };
    const wrong = reasonToStop(result);
    return wrong === undefined ? { outcome: 'passes' } : { outcome: 'fails', reason: wrong };
  }
  const { symptoms, doubts, hits, isKilled } = result;
  if (finding && symptoms.some((symptom) => isSameSymptom(symptom, finding))) return { outcome: 'fails' };
  if (reference?.outcome === 'fails') return unclear(`without faults, ${reference.reason}`);
  if (reference?.outcome === 'differs') return unclear(`without faults it leaves another state: ${reference.reason}`);
  const [symptom] = symptoms;
  if (symptom) return { outcome: 'fails', reason: `${symptom.rule} ${symptom.endpoint}: ${symptom.message}` };
  if (!isKilled && hits.length < (finding?.hits.length ?? 1)) return unclear('its faults were not met');
  const [doubt] = doubts.values();
  if (doubt !== undefined) return unclear(doubt);
  return finding && finding.reproduced.shown < finding.reproduced.of
    ? unclear('the finding is flaky')
    : { outcome: 'passes' };
}

const unclear = (reason: string): Judged => ({ outcome: 'unclear', reason });
