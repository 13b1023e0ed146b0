/** Runs a script step by step up to the first failure, then judges its expectations. */
import type { Diagnostic } from '../core/validation/diagnostic.ts';
import * as z from '../core/validation/deferred-zod.ts';
import { systemNow, monotonicNow, toTimestamp } from '../core/time/clock.ts';
import { formatPath } from '../core/validation/unknown-fields.ts';
import { InputError } from '../core/lib/input-error.ts';
import { validateAgainst } from '../core/validation/schema-diagnostics.ts';
import { fillPlaceholders, findPlaceholders, predefinedNames } from '../scenario/steps/placeholders.ts';
import type { ScenarioSpec } from '../scenario/scenario-schema.ts';
import { stepSchema } from '../scenario/steps/step-schema.ts';
import type { Step } from '../scenario/steps/step-schema.ts';
import { worstStatus } from '../verdict/status.ts';
import { verdictSchema } from '../verdict/verdict.ts';
import { isShown } from './reports.ts';
import { notExecutedReason } from './result.ts';
import type { ScriptResult, StepResult } from './result.ts';
import { executeStep, StepFailure, stepTitle } from './steps.ts';
import type { StepContext } from './steps.ts';
import type { ScriptTarget } from './step-request.ts';

export interface Script {
  readonly file: string;
  readonly spec: ScenarioSpec;
  /** Holds the warnings about a valid file. */
  readonly warnings: readonly Diagnostic[];
  /** Returns `file:line:column` of the part at a path. */
  readonly locationOf: (path: readonly (string | number)[]) => string;
}

interface RunScriptOptions {
  readonly target: ScriptTarget;
  readonly signal: AbortSignal;
  /** Receives each step when it is over. */
  readonly onStep: (step: StepResult) => void;
  /** Lists the codes of warnings that fail the verdict, each text one or several. */
  readonly failOnWarnings?: readonly string[] | undefined;
}

export const scriptName = ({ file, spec }: Pick<Script, 'file' | 'spec'>): string => spec.name ?? file;

export async function runScript(script: Script, options: RunScriptOptions): Promise<ScriptResult> {
  const [started, at] = [monotonicNow(), toTimestamp(systemNow())];
  const { signal } = options;
  const values = new Map<string, unknown>();
  const steps = await runSteps(script, values, options);
  const isStopped = signal.aborted;
  const found = isStopped ? nothingJudged : await judgeExpectations(script, options, values);
  const { checks, rules, operations } = found;
  const judgedSteps = steps.filter(({ executed }) => executed);
  const words = [...judgedSteps, ...checks, ...rules, ...operations].map(({ verdict }) => verdict);
  return {
    name: scriptName(script),
    file: script.file,
    verdict: worstStatus(isStopped ? [...words, 'INCONCLUSIVE'] : words),
    reason: isStopped ? 'stopped before its end' : undefined,
    steps,
    ...found,
    at,
    ms: monotonicNow() - started,
  };
}

async function runSteps(
  script: Script,
  values: StepContext['values'],
  options: RunScriptOptions,
): Promise<StepResult[]> {
  const { target, signal, onStep } = options;
  const results: StepResult[] = [];
  for (const [i, step] of (script.spec.steps ?? []).entries()) {
    const base = { number: i + 1, title: stepTitle(step), location: script.locationOf(['steps', i]) };
    const isOver = signal.aborted || results.some(({ verdict }) => verdict !== 'PASS');
    const outcome = isOver ? notExecuted(step, values) : await runStep({ target, signal, values, number: i + 1 }, step);
    const one = { ...base, ...outcome };
    if (isShown(one)) onStep(one);
    results.push(one);
  }
  return results;
}

type StepOutcome = Pick<StepResult, 'executed' | 'verdict' | 'reason' | 'ms'>;

function notExecuted(step: Step, values: StepContext['values']): StepOutcome {
  return {
    executed: false,
    verdict: 'INCONCLUSIVE',
    reason: describeMissing(step, values) ?? notExecutedReason,
    ms: 0,
  };
}

/** Returns the names that a value uses and no step has captured. */
const missingNames = (value: unknown, values: StepContext['values']): string[] => [
  ...new Set(
    findPlaceholders(value)
      .map(({ name }) => name)
      .filter((name) => !isPredefined(name) && !values.has(name)),
  ),
];

const isPredefined = (name: string): boolean => predefinedNames.some((given) => given === name);

function describeMissing(value: unknown, values: StepContext['values']): string | undefined {
  const names = missingNames(value, values);
  return names.length === 0 ? undefined : `not captured: ${names.join(', ')}`;
}

async function runStep(context: StepContext, step: Step): Promise<StepOutcome> {
  const started = monotonicNow();
  const outcome = (verdict: StepResult['verdict'], reason: string | undefined): StepOutcome => ({
    executed: true,
    verdict,
    reason,
    ms: monotonicNow() - started,
  });
  try {
    const ready = await readyStep(context, step);
    const result = await executeStep(context, ready);
    // A note is its own title, as it was written.
    return outcome('PASS', ready.note === step.note ? result : ready.note);
  } catch (error) {
    if (context.signal.aborted) return outcome('INCONCLUSIVE', 'stopped');
    // The control API rejects a step that is invalid, or not possible in this state.
    if (error instanceof StepFailure || error instanceof InputError) return outcome('FAIL', error.message);
    throw error;
  }
}

const clockAnswer = z.looseObject({ now: z.string() });

/** Fills the placeholders of a step. */
async function readyStep({ target, values }: StepContext, step: Step): Promise<Step> {
  // `$${name}` is no placeholder, but stands for something else as well.
  if (!JSON.stringify(step).includes('${')) return step;
  const names = findPlaceholders(step).map(({ name }) => name);
  if (names.includes('now')) values.set('now', clockAnswer.parse(await target.admin('/clock')).now);
  const ready = fillPlaceholders(step, values);
  const findings = validateAgainst(stepSchema, ready);
  if (findings.length === 0) return stepSchema.parse(ready);
  throw new StepFailure(findings.map(({ path, message }) => `${formatPath(path)} ${message}`).join('; '));
}

type Judged = Pick<ScriptResult, 'checks' | 'rules' | 'operations' | 'warnings'>;

const nothingJudged: Judged = { checks: [], rules: [], operations: [], warnings: [] };

async function judgeExpectations(
  { spec, locationOf }: Script,
  { target, failOnWarnings }: RunScriptOptions,
  values: StepContext['values'],
): Promise<Judged> {
  const given = spec.expectations ?? [];
  // What was not captured stands for itself; what rests on it is left open.
  const missing = missingNames(given, values).map((name) => [name, `\${${name}}`] as const);
  const expectations = fillPlaceholders(given, new Map([...values, ...missing]));
  const body = { expectations, everyRuleFired: true };
  const query = failOnWarnings && { failOnWarnings: failOnWarnings.join(',') };
  const verdict = verdictSchema.parse(await target.admin('/verify', { method: 'POST', body, ...(query && { query }) }));
  const { rules, operations, warnings } = verdict;
  // The control API judges them in their order in the file.
  const checks = verdict.checks.map((check, i) => {
    const reason = describeMissing(given[i], values);
    const open = reason === undefined ? {} : { verdict: 'INCONCLUSIVE' as const, reason, requests: [] };
    return { ...check, ...open, location: locationOf(['expectations', i]) };
  });
  return { checks, rules, operations, warnings };
}
