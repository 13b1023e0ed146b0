/** Tries by brute force whether a finding takes each of its faults, and each as strong as it is. */
import { experimentFor, hitOf, pointId } from '../../src/explore/experiment.ts';
import type { Hit } from '../../src/explore/experiment.ts';
import type { Finding } from '../../src/explore/explore.ts';
import { learn } from '../../src/explore/learn.ts';
import { incidentOf } from '../../src/explore/probes.ts';
import { maxUndecided, runExperiment } from '../../src/explore/run.ts';
import type { ExploredClient } from '../../src/explore/run.ts';
import { isSameSymptom } from '../../src/explore/symptoms.ts';
import { Reference } from '../../src/verdict/state/reference.ts';

export interface Minimality {
  /** True when the faults of the finding show it. */
  readonly isShown: boolean;
  /** Lists sets of fewer or weaker faults that show it too: none for a finding that is 1-minimal. */
  readonly smaller: readonly string[];
  /** Counts the sets that were tried. */
  readonly tried: number;
}

const operationOf = ({ endpoint, operation, probe }: Hit): string => `${endpoint}#${operation}/${probe}`;

/** Returns the faults without one, without all at one operation, and with one in its next weaker form. */
function smallerSets(hits: readonly Hit[]): (readonly Hit[])[] {
  const rules = [...new Set(hits.map(operationOf))];
  const withoutOne = hits.map((_, i) => hits.toSpliced(i, 1));
  const withoutRule = rules.map((rule) => hits.filter((hit) => operationOf(hit) !== rule));
  const weakened = hits.flatMap((hit, i) =>
    incidentOf(hit.probe).weaker.map((weaker) => hits.with(i, hitOf(hit, weaker))),
  );
  const sets = [...withoutOne, ...withoutRule, ...weakened].filter((set) => set.length > 0);
  return [...new Map(sets.map((set) => [nameOf(set), set])).values()];
}

const nameOf = (hits: readonly Hit[]): string => hits.map(pointId).join(' ');

/** Plays every smaller set of the faults of some findings, each held against a run without faults as exploring does. */
export async function checkMinimality(client: ExploredClient, findings: readonly Finding[]): Promise<Minimality[]> {
  const { closeTenant } = client;
  let number = 0;
  const plain = { title: 'without faults', level: 0, rules: [] };
  const learned = await learn({
    run: () => runExperiment(client, plain, { number: ++number, reference: undefined }),
    closeTenant,
  });
  const reference = learned.comparesState ? new Reference(learned.first.tenant) : undefined;
  const shows = async (finding: Finding, hits: readonly Hit[]): Promise<boolean> => {
    for (let i = 0; i < maxUndecided; i++) {
      const experiment = experimentFor(nameOf(hits), 1, hits);
      const { symptoms, doubts, tenant } = await runExperiment(client, experiment, { number: ++number, reference });
      closeTenant(tenant);
      if (symptoms.some((symptom) => isSameSymptom(symptom, finding))) return true;
      if (doubts.size === 0) return false;
    }
    return false;
  };
  const results: Minimality[] = [];
  for (const finding of findings) {
    const sets = smallerSets(finding.hits);
    const smaller: string[] = [];
    for (const set of sets) if (await shows(finding, set)) smaller.push(nameOf(set));
    results.push({ isShown: await shows(finding, finding.hits), smaller, tried: sets.length });
  }
  closeTenant(learned.first.tenant);
  return results;
}
