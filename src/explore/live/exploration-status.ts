/** Tells how an exploration ended. */
import type { VerdictStatus } from '../../verdict/status.ts';
import type { CoverageSummary } from '../coverage.ts';

/** Is `stopped` when exploring could not begin: the client fails without faults. */
export type ExplorationEnd = 'clean' | 'found' | 'stopped';

/** Holds what is known when an exploration has ended. */
interface EndedExploration {
  readonly status: ExplorationEnd;
  readonly coverage: CoverageSummary;
  /** Holds what never showed again. */
  readonly unconfirmed: readonly unknown[];
  readonly requests: number;
  readonly log: readonly { readonly symptoms: readonly string[] }[];
}

/**
 * Returns FAIL for findings, and INCONCLUSIVE where one did not show again, the verdict on a point was not sure, or the
 * client did not send the request again at which a fault waited for it.
 */
export function explorationStatus({ status, unconfirmed, coverage, requests, log }: EndedExploration): VerdictStatus {
  if (status === 'found') return 'FAIL';
  if (status === 'stopped')
    return requests === 0 && log.every(({ symptoms }) => symptoms.length === 0) ? 'INCONCLUSIVE' : 'FAIL';
  return unconfirmed.length + coverage.undecided + coverage.unreachable > 0 ? 'INCONCLUSIVE' : 'PASS';
}
