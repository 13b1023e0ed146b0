/** Describes the result of a script that was run. */
import type { VerdictStatus } from '../verdict/status.ts';
import type { Check, Verdict } from '../verdict/verdict.ts';

/** Is the reason of a step after one that failed. */
export const notExecutedReason = 'not executed';

export interface StepResult {
  /** Counts the steps of a script from 1. */
  readonly number: number;
  readonly title: string;
  /** Is false when a step before it failed. */
  readonly executed: boolean;
  /** Is INCONCLUSIVE when it was stopped, or not executed. */
  readonly verdict: VerdictStatus;
  /** Holds the reason of a failure, or the result of a step that has one. */
  readonly reason: string | undefined;
  /** Holds `file:line:column`. */
  readonly location: string;
  readonly ms: number;
}

export interface ScriptCheck extends Check {
  /** Holds `file:line:column`. */
  readonly location: string;
}

export interface ScriptResult {
  readonly name: string;
  readonly file: string;
  readonly verdict: VerdictStatus;
  /** Gives the reason why it did not run to its end, if no step gives it. */
  readonly reason: string | undefined;
  readonly steps: readonly StepResult[];
  readonly checks: readonly ScriptCheck[];
  readonly rules: Verdict['rules'];
  /** Holds the operations of the system under test, and how it retried. */
  readonly operations: Verdict['operations'];
  readonly warnings: Verdict['warnings'];
  /** Says when it began, on the machine's clock. */
  readonly at: string;
  readonly ms: number;
}
