/** Plays a script step by step; the first that fails is the last, then its expectations are judged. */
import * as z from 'zod';
import { machineNow, monotonic, toTimestamp } from '../core/clock.ts';
import { pathText } from '../core/fields.ts';
import { InputError } from '../core/errors.ts';
import { schemaFindings } from '../scenario/findings.ts';
import { filled, namesIn } from '../scenario/placeholders.ts';
import type { WrittenScenario } from '../scenario/scenario-schema.ts';
import { stepSchema } from '../scenario/step-schema.ts';
import type { Step } from '../scenario/step-schema.ts';
import { worst } from '../verdict/retries.ts';
import { verdictSchema } from '../verdict/verdict.ts';
import type { PlayedScenario, PlayedStep } from './played.ts';
import { playFilled, StepFailure, titleOf } from './steps.ts';
import type { Stage } from './steps.ts';
import type { Target } from './target.ts';

export interface Script {
  readonly file: string;
  readonly written: WrittenScenario;
  /** What a person should know although nothing is wrong. */
  readonly notes: readonly string[];
  /** `file:line:column` of what a path leads to. */
  readonly placeOf: (path: readonly (string | number)[]) => string;
}

interface PlayOptions {
  readonly target: Target;
  readonly signal: AbortSignal;
  /** Told of each step when it is over. */
  readonly onStep: (step: PlayedStep) => void;
}

export const nameOf = ({ file, written }: Pick<Script, 'file' | 'written'>): string => written.name ?? file;

export async function play(script: Script, options: PlayOptions): Promise<PlayedScenario> {
  const [started, at] = [monotonic(), toTimestamp(machineNow())];
  const { target, signal } = options;
  const values = new Map<string, unknown>();
  const steps = await playSteps(script, values, options);
  const isStopped = signal.aborted;
  const found = isStopped ? nothingJudged : await judged(script, target, values);
  const { checks, rules, operations } = found;
  const judgedSteps = steps.filter(({ isPlayed }) => isPlayed);
  const words = [...judgedSteps, ...checks, ...rules, ...operations].map(({ verdict }) => verdict);
  return {
    name: nameOf(script),
    file: script.file,
    verdict: worst(isStopped ? [...words, 'INCONCLUSIVE'] : words),
    reason: isStopped ? 'stopped before its end' : undefined,
    steps,
    ...found,
    at,
    ms: monotonic() - started,
  };
}

async function playSteps(script: Script, values: Stage['values'], options: PlayOptions): Promise<PlayedStep[]> {
  const { target, signal, onStep } = options;
  const played: PlayedStep[] = [];
  for (const [i, step] of (script.written.steps ?? []).entries()) {
    const base = { number: i + 1, title: titleOf(step), place: script.placeOf(['steps', i]) };
    const isOver = signal.aborted || played.some(({ verdict }) => verdict !== 'PASS');
    const outcome = isOver ? notPlayed : await playStep({ target, signal, values, number: i + 1 }, step);
    const one = { ...base, ...outcome };
    if (one.isPlayed) onStep(one);
    played.push(one);
  }
  return played;
}

type Outcome = Pick<PlayedStep, 'isPlayed' | 'verdict' | 'reason' | 'ms'>;

const notPlayed: Outcome = { isPlayed: false, verdict: 'INCONCLUSIVE', reason: 'not played', ms: 0 };

async function playStep(stage: Stage, step: Step): Promise<Outcome> {
  const started = monotonic();
  const outcome = (verdict: PlayedStep['verdict'], reason: string | undefined): Outcome => ({
    isPlayed: true,
    verdict,
    reason,
    ms: monotonic() - started,
  });
  try {
    const ready = await readyStep(stage, step);
    const came = await playFilled(stage, ready);
    // A note is its own title, as it was written.
    return outcome('PASS', ready.note === step.note ? came : ready.note);
  } catch (error) {
    if (stage.signal.aborted) return outcome('INCONCLUSIVE', 'stopped');
    // What the control API refuses was written wrong, or is not possible as things stand.
    if (error instanceof StepFailure || error instanceof InputError) return outcome('FAIL', error.message);
    throw error;
  }
}

const clockAnswer = z.looseObject({ now: z.string() });

/** The step with its placeholders filled. */
async function readyStep({ target, values }: Stage, step: Step): Promise<Step> {
  const names = namesIn(step).map(({ name }) => name);
  if (names.length === 0) return step;
  if (names.includes('now')) values.set('now', clockAnswer.parse(await target.admin('/clock')).now);
  const ready = filled(step, values);
  const findings = schemaFindings(stepSchema, ready);
  if (findings.length === 0) return stepSchema.parse(ready);
  throw new StepFailure(findings.map(({ path, message }) => `${pathText(path)} ${message}`).join('; '));
}

type Judged = Pick<PlayedScenario, 'checks' | 'rules' | 'operations'>;

const nothingJudged: Judged = { checks: [], rules: [], operations: [] };

async function judged({ written, placeOf }: Script, target: Target, values: Stage['values']): Promise<Judged> {
  const expectations = filled(written.expectations ?? [], values);
  const body = { expectations, everyRuleFired: true };
  const verdict = verdictSchema.parse(await target.admin('/verify', { method: 'POST', body }));
  const { rules, operations } = verdict;
  // They are judged in the order in which they stand.
  const checks = verdict.checks.map((check, i) => Object.assign(check, { place: placeOf(['expectations', i]) }));
  return { checks, rules, operations };
}
