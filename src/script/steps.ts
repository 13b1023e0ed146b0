/** How each kind of step is played. */
import * as z from 'zod';
import { monotonicNow } from '../core/time/clock.ts';
import { webhookAttemptKind } from '../core/tenant/webhook-outbox.ts';
import { compileJsonPath } from '../matching/json-path.ts';
import type { ExpectationInput } from '../scenario/expectations/expectation-schema.ts';
import { stepKinds } from '../scenario/steps/step-schema.ts';
import { redactSpec } from '../scenario/redact-scenario.ts';
import type { Step } from '../scenario/steps/step-schema.ts';
import { formatCheck, verdictSchema } from '../verdict/verdict.ts';
import type { Check, Verdict } from '../verdict/verdict.ts';
import { responseMismatches } from './response-check.ts';
import { sendStepRequest } from './step-request.ts';
import type { StepResponse } from './step-request.ts';
import type { ScriptTarget } from './target.ts';

/** What a step works with. */
export interface StepContext {
  readonly target: ScriptTarget;
  /** Aborted when a person has stopped the run. */
  readonly signal: AbortSignal;
  /** What steps have captured. */
  readonly values: Map<string, unknown>;
  /** The step's number. */
  readonly number: number;
}

/** A step that did not go as it is to. */
export class StepFailure extends Error {
  override readonly name = 'StepFailure';
}

/** Plays a step; answers what came of it, where there is something to tell. */
type StepRunner<Given> = (stage: StepContext, given: Given, step: Step) => Promise<string | undefined>;

type Kind = Exclude<keyof Step, 'name' | 'expect' | 'capture'>;

const defaultTimeout = 30_000;

const playRequest: StepRunner<NonNullable<Step['request']>> = async (stage, request, { expect = {}, capture = {} }) => {
  const [method = '', path = ''] = typeof request === 'string' ? request.split(' ') : [];
  const { number, signal } = stage;
  const options = { step: number, within: expect.within ?? defaultTimeout, signal };
  const answered = await sendStepRequest(
    stage.target,
    typeof request === 'string' ? { method, path } : request,
    options,
  );
  const mismatches = responseMismatches(answered, expect);
  if (mismatches.length > 0) throw new StepFailure(mismatches.join('; '));
  for (const [name, place] of Object.entries(capture)) stage.values.set(name, capturedFrom(answered, place));
  return answered.broken ?? `answered ${answered.status}`;
};

function capturedFrom({ body }: StepResponse, place: string): unknown {
  const found = compileJsonPath(place)?.valuesIn(body) ?? [];
  if (found.length > 0) return found[0];
  const hint = typeof body === 'object' ? '' : '; the body itself is $';
  throw new StepFailure(`the answer has no ${place} to capture, it is ${JSON.stringify(body)?.slice(0, 200)}${hint}`);
}

const executedSchema = z.looseObject({ executed: z.array(z.looseObject({ kind: z.string() })) });
const effectsSchema = z.looseObject({ effects: z.array(z.looseObject({ table: z.string(), change: z.string() })) });

const pluralize = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

/** What a turn of the clock or the queue has done. */
function describeExecutedJobs(answer: unknown): string {
  const { executed } = executedSchema.parse(answer);
  const tried = executed.filter(({ kind }) => kind === webhookAttemptKind).length;
  const jobs = `${pluralize(executed.length - tried, 'job')} done`;
  return tried === 0 ? jobs : `${jobs}, ${pluralize(tried, 'webhook')} tried`;
}

const playTrigger: StepRunner<NonNullable<Step['trigger']>> = async ({ target }, body) => {
  const { effects } = effectsSchema.parse(await target.admin('/trigger', { method: 'POST', body }));
  return effects.map(({ table, change }) => `${table} ${change}`).join(', ') || 'nothing changed';
};

/** The longest that one call of the control API waits. */
const longestCall = 30_000;

const playWait: StepRunner<NonNullable<Step['waitFor']>> = async ({ target, signal }, { request, atLeast, within }) => {
  const end = monotonicNow() + within;
  // Only others are waited for: what steps send is no news.
  const body = { request: { by: 'client', ...request }, atLeast } satisfies ExpectationInput;
  for (;;) {
    const wait = `${Math.max(0, Math.min(longestCall, Math.ceil(end - monotonicNow())))}ms`;
    const check = onlyCheck(await target.admin('/verify', { method: 'POST', query: { wait }, body, signal }));
    if (check.verdict === 'PASS') return check.reason;
    if (monotonicNow() >= end) throw new StepFailure(`${check.reason}; waited ${within} ms`);
  }
};

const playCheck: StepRunner<NonNullable<Step['check']>> = async ({ target }, body) => {
  const check = onlyCheck(await target.admin('/verify', { method: 'POST', body }));
  if (check.verdict !== 'PASS')
    throw new StepFailure(check.verdict === 'FAIL' ? formatCheck(check) : `does not tell: ${formatCheck(check)}`);
  return check.reason;
};

function onlyCheck(answer: unknown): Check {
  const verdict: Verdict = verdictSchema.parse(answer);
  const [check] = verdict.checks;
  if (!check) throw new Error('an expectation was not judged');
  return check;
}

const stepRunners: { readonly [Name in Kind]: StepRunner<NonNullable<Step[Name]>> } = {
  request: playRequest,
  clock: async ({ target }, body) => describeExecutedJobs(await target.admin('/clock', { method: 'POST', body })),
  trigger: playTrigger,
  fault: async ({ target }, body) => {
    const { id } = z.looseObject({ id: z.string() }).parse(await target.admin('/faults', { method: 'POST', body }));
    return `rule ${id}`;
  },
  clearFaults: async ({ target }, which) => {
    await target.admin(which === true ? '/faults' : `/faults/${encodeURIComponent(which)}`, { method: 'DELETE' });
    return undefined;
  },
  queue: async ({ target }, body) => describeExecutedJobs(await target.admin('/queue', { method: 'POST', body })),
  waitFor: playWait,
  check: playCheck,
  note: async () => undefined,
  reset: async ({ target }, which) => {
    await target.admin('/reset', { method: 'POST', body: which === true ? {} : { scopes: which } });
    return undefined;
  },
  snapshot: async ({ target }, name) => {
    await target.admin(`/snapshots/${encodeURIComponent(name)}`, { method: 'POST' });
    return undefined;
  },
  restore: async ({ target }, name) => {
    await target.admin(`/snapshots/${encodeURIComponent(name)}/restore`, { method: 'POST' });
    return undefined;
  },
};

// The schema lets no step through that has none of them.
const kindOf = (step: Step): Kind => (stepKinds.find((kind) => kind in step) ?? 'note') as Kind;

/** Plays a step whose placeholders are filled. Throws `StepFailure`, and `InputError` with the words of a refusal. */
export function executeStep(stage: StepContext, step: Step): Promise<string | undefined> {
  const kind = kindOf(step);
  // The table has the play of each kind under its name.
  const play = stepRunners[kind] as StepRunner<unknown>;
  return play(stage, step[kind], step);
}

/** What a step without a name is called. */
export function stepTitle(step: Step): string {
  if (step.name !== undefined) return step.name;
  const kind = kindOf(step);
  const given = step[kind];
  if (kind === 'request') return redactSpec(requestTitle(step.request));
  if (kind === 'note') return String(given);
  return `${kind} ${summary(given)}`;
}

const requestTitle = (request: Step['request']): string =>
  typeof request === 'object' ? `${request.method} ${request.path}` : String(request);

const longestTitle = 70;

function summary(given: unknown): string {
  const shown = redactSpec(given);
  const text = typeof shown === 'string' ? shown : JSON.stringify(shown);
  return text.length > longestTitle ? `${text.slice(0, longestTitle - 1)}…` : text;
}
