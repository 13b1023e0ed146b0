/** Counts how the verdict judges generated clients with a planted defect. */
import * as fc from 'fast-check';
import type { Sim } from '../../../src/simulator/sim.ts';
import { defects } from './defects.ts';
import type { Defect } from './defects.ts';
import { defectivePlanOf } from './plan.ts';
import type { Plan } from './plan.ts';
import { play, timelineOf } from './play.ts';

export interface DefectTally {
  /** Counts the runs in which the defect shows. */
  shown: number;
  /** Counts those that failed by a rule that is meant. */
  failed: number;
  inconclusive: number;
  passed: number;
  /** Counts those that failed by another rule. */
  otherwise: number;
  /** Shows the first of those that passed. */
  example: string;
}

/** Plays clients with a defect, drawn from a seed, until it has shown in as many of them as wanted. */
export async function tallyOf(
  sim: Sim,
  defect: Defect,
  { seed, wanted }: { readonly seed: number; readonly wanted: number },
): Promise<DefectTally> {
  const tally: DefectTally = { shown: 0, failed: 0, inconclusive: 0, passed: 0, otherwise: 0, example: '' };
  for (const plan of fc.sample(defectivePlanOf(defect), { seed, numRuns: wanted * 60 })) {
    if (tally.shown === wanted) break;
    await count(sim, plan, { defect, tally });
  }
  return tally;
}

async function count(
  sim: Sim,
  plan: Plan,
  { defect, tally }: { readonly defect: Defect; readonly tally: DefectTally },
): Promise<void> {
  const { verdict, exercised } = await play(plan, { sim, way: 'in process', defect });
  if (exercised === 0) return;
  tally.shown += 1;
  const { rules: meant, elsewhere } = defects[defect];
  const failing = verdict.operations.flatMap(({ findings }) => findings.filter(({ level }) => level === 'fail'));
  const isMeant = ({ rule, message }: { readonly rule: string; readonly message: string }): boolean =>
    meant.includes(rule) || (rule === elsewhere?.rule && message.startsWith(elsewhere.request));
  if (failing.some(isMeant)) tally.failed += 1;
  else if (verdict.verdict === 'INCONCLUSIVE') tally.inconclusive += 1;
  else if (verdict.verdict === 'PASS') tally.passed += 1;
  else tally.otherwise += 1;
  if (verdict.verdict === 'PASS') tally.example ||= `${timelineOf(verdict)}\n${JSON.stringify(plan)}`;
}
