/** What became of a script that was played. */
import type { VerdictStatus } from '../verdict/status.ts';
import type { Check, Verdict } from '../verdict/verdict.ts';

export interface StepResult {
  /** Counts the steps of a script from 1. */
  readonly number: number;
  readonly title: string;
  /** Not, when one before it has failed. */
  readonly isPlayed: boolean;
  /** INCONCLUSIVE: it was stopped, or not played. */
  readonly verdict: VerdictStatus;
  /** Why it failed, and what came of it where there is something to tell. */
  readonly reason: string | undefined;
  /** `file:line:column` */
  readonly place: string;
  readonly ms: number;
}

export interface ScriptCheck extends Check {
  /** `file:line:column` */
  readonly place: string;
}

export interface ScriptResult {
  readonly name: string;
  readonly file: string;
  readonly verdict: VerdictStatus;
  /** Why it was not played to its end, where no step tells. */
  readonly reason: string | undefined;
  readonly steps: readonly StepResult[];
  readonly checks: readonly ScriptCheck[];
  readonly rules: Verdict['rules'];
  /** What the system under test meant to do, and how it retried. */
  readonly operations: Verdict['operations'];
  /** When it began, on the machine's clock. */
  readonly at: string;
  readonly ms: number;
}
