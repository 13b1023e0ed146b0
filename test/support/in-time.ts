/** Repeats a test only where the verdict itself says that the simulator was late, which a busy machine may cause. */
import { setTimeout } from 'node:timers/promises';
import type { RunnerTestCase } from 'vitest';

/** Says in a verdict that something is uncertain because the simulator was kept from working. */
const lateness = /the simulator itself was \S+(?: \S+)? late then/;

/** So many times the machine may be too busy in a row. */
const repeats = 30;

/** Holds what verdicts said so while this test was tried. */
let reasons: string[] = [];

function latenessIn(verdict: unknown): string | undefined {
  const text = typeof verdict === 'string' ? verdict : JSON.stringify(verdict);
  return lateness.exec(text)?.[0];
}

/** Takes note of a verdict, which may also be what a command printed, and returns it. */
export function noteLateness<Verdict>(verdict: Verdict): Verdict {
  const reason = latenessIn(verdict);
  if (reason !== undefined) reasons.push(reason);
  return verdict;
}

/**
 * Marks a test, or all tests of a `describe`, whose expected verdict rests on real time: on a machine that is late,
 * nobody can be certain of it. The test begins again if it failed, and a verdict in it gave that as its reason.
 */
export const inTime = { retry: { count: repeats, delay: 200, condition: lateness } };

/** Takes note of what was to come at once, and came so much (ms) later that it may have another reason. */
export function notePause(pause: number): void {
  if (pause > longestAtOnce) reasons.push(`the simulator itself was ${pause} ms late then`);
}

/** Limits how late a repeat of a library may come, in ms: it is certainly one within 20 ms. */
const longestAtOnce = 12;

/** Plays again while the verdict gives that as its reason, for tests that run next to others. */
export async function playInTime<Verdict>(play: () => Promise<Verdict>): Promise<Verdict> {
  for (let i = 0; i < repeats; i++) {
    const verdict = await play();
    if (latenessIn(verdict) === undefined) return verdict;
    // What piled up while the machine was busy excuses whatever comes for as long again.
    await setTimeout(50 * (i + 1));
  }
  return play();
}

/** Begins an attempt of a test. */
export function forgetLateness(): void {
  reasons = [];
}

/** Adds the reason to the errors of a failed attempt, where the condition above finds it. */
export function explainLateness({ retry, result }: Readonly<RunnerTestCase>): void {
  const isMarked = typeof retry === 'object' && retry.condition === lateness;
  if (isMarked && result?.state === 'fail' && reasons.length > 0) throw new Error(reasons.join('; '));
}
