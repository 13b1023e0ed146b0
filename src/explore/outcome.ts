/** Says how a client came through a run, whatever the run was for. */
import { pointMasterCheck } from '../verdict/judge.ts';
import { worstStatus } from '../verdict/status.ts';
import type { VerdictStatus } from '../verdict/status.ts';
import type { RunResult } from './run.ts';

/** Returns how the client came through; undefined when it did not send the request at which something was to go wrong. */
export function outcomeOf(result: RunResult): VerdictStatus | undefined {
  const { end, hits, isKilled, symptoms, doubts, verdict } = result;
  const isPlain = isWithoutFaults(result);
  const isToTheEnd = lastsToTheEnd(result);
  if (end.isTimedOut === true && !isToTheEnd) return 'FAIL';
  if (!isPlain && hits.length === 0 && !isKilled) return undefined;
  if (symptoms.length > 0) return 'FAIL';
  // With faults, operations that were not hit prove nothing; nor does a rule of the user's that did not fire.
  const judged = [
    ...verdict.checks.filter(({ description }) => description !== pointMasterCheck),
    ...(isPlain ? verdict.operations : []),
  ];
  const status = doubts.size > 0 ? 'INCONCLUSIVE' : worstStatus(judged.map((one) => one.verdict));
  return isToTheEnd && status === 'INCONCLUSIVE' ? 'PASS' : status;
}

const isWithoutFaults = ({ experiment: { rules, webhooks = [], kill } }: Pick<RunResult, 'experiment'>): boolean =>
  rules.length + webhooks.length === 0 && kill === undefined;

/** True while a fault is not over when the client ends: nobody knows what it would have done after it. */
export const lastsToTheEnd = ({ experiment: { level, rules }, hits }: RunResult): boolean =>
  (level === 2 || level === 3) && rules.some(({ spec: { times = Infinity } }) => hits.length < times);
