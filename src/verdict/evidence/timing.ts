import { formatDuration, inconclusive } from '../rules/retry-rule.ts';
import type { RetryEvidence, RuleFinding } from '../rules/retry-rule.ts';

interface Timing {
  readonly evidence: RetryEvidence;
  /** Tells by how much the attempt was too early, in ms. */
  readonly early: number;
}

/** Downgrades a failure that depends on timing when the simulator itself may have caused it by being late. */
export function unlessSimulatorWasLate(
  found: RuleFinding,
  { evidence: { lagBetween, policy }, early }: Timing,
): RuleFinding {
  const [first, last] = [found.attempts[0], found.attempts.at(-1)];
  if (!first || !last) return found;
  const late = lagBetween(first.start - policy.tolerance, last.start + policy.tolerance);
  if (late + policy.tolerance < early || late <= policy.tolerance) return found;
  return inconclusive(
    `${found.message}; but the simulator itself was ${formatDuration(late)} late then`,
    found.attempts,
  );
}
