/** Executes each kind of step. */
import * as z from '../core/validation/deferred-zod.ts';
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
import type { ScriptTarget, StepResponse } from './step-request.ts';

export interface StepContext {
  readonly target: ScriptTarget;
  /** Aborts when a person has stopped the run. */
  readonly signal: AbortSignal;
  /** Holds the values that steps have captured. */
  readonly values: Map<string, unknown>;
  /** Holds the step's number. */
  readonly number: number;
}

/** Reports a step whose result is not as expected. */
export class StepFailure extends Error {
  override readonly name = 'StepFailure';
}

/** Executes a step; returns its result in words, if it has one. */
type StepRunner<Given> = (context: StepContext, given: Given, step: Step) => Promise<string | undefined>;

type Kind = Exclude<keyof Step, 'name' | 'expect' | 'capture'>;

const defaultTimeout = 30_000;

const runRequest: StepRunner<NonNullable<Step['request']>> = async (
  context,
  request,
  { expect = {}, capture = {} },
) => {
  const [method = '', path = ''] = typeof request === 'string' ? request.split(' ') : [];
  const { number, signal } = context;
  const options = { step: number, within: expect.within ?? defaultTimeout, signal };
  const response = await sendStepRequest(
    context.target,
    typeof request === 'string' ? { method, path } : request,
    options,
  );
  const mismatches = responseMismatches(response, expect);
  if (mismatches.length > 0) throw new StepFailure(mismatches.join('; '));
  for (const [name, place] of Object.entries(capture)) context.values.set(name, capturedFrom(response, place));
  return response.broken ?? `status ${response.status}`;
};

function capturedFrom({ body }: StepResponse, path: string): unknown {
  const found = compileJsonPath(path)?.valuesIn(body) ?? [];
  if (found.length > 0) return found[0];
  const hint = typeof body === 'object' ? '' : '; the body itself is $';
  throw new StepFailure(`the response has no ${path} to capture, it is ${JSON.stringify(body)?.slice(0, 200)}${hint}`);
}

const executedSchema = z.looseObject({ executed: z.array(z.looseObject({ kind: z.string() })) });
const droppedFileSchema = z.looseObject({ name: z.string(), bytes: z.number() });
const effectsSchema = z.looseObject({ effects: z.array(z.looseObject({ table: z.string(), change: z.string() })) });

const pluralize = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

/** Describes what a change of the clock or the queue executed. */
function describeExecutedJobs(response: unknown): string {
  const { executed } = executedSchema.parse(response);
  const attempted = executed.filter(({ kind }) => kind === webhookAttemptKind).length;
  const jobs = `${pluralize(executed.length - attempted, 'job')} done`;
  return attempted === 0 ? jobs : `${jobs}, ${pluralize(attempted, 'webhook')} attempted`;
}

const runTrigger: StepRunner<NonNullable<Step['trigger']>> = async ({ target }, body) => {
  const { effects } = effectsSchema.parse(await target.admin('/trigger', { method: 'POST', body }));
  return effects.map(({ table, change }) => `${table} ${change}`).join(', ') || 'nothing changed';
};

/** Holds the longest wait of one request to the control API. */
const longestCall = 30_000;

const runWait: StepRunner<NonNullable<Step['waitFor']>> = async ({ target, signal }, { request, atLeast, within }) => {
  const end = monotonicNow() + within;
  // A wait is for the client's requests, not for those of steps.
  const body = { request: { by: 'client', ...request }, atLeast } satisfies ExpectationInput;
  for (;;) {
    const wait = `${Math.max(0, Math.min(longestCall, Math.ceil(end - monotonicNow())))}ms`;
    const check = onlyCheck(await target.admin('/verify', { method: 'POST', query: { wait }, body, signal }));
    if (check.verdict === 'PASS') return check.reason;
    if (monotonicNow() >= end) throw new StepFailure(`${check.reason}; waited ${within} ms`);
  }
};

const runCheck: StepRunner<NonNullable<Step['check']>> = async ({ target }, body) => {
  const check = onlyCheck(await target.admin('/verify', { method: 'POST', body }));
  if (check.verdict !== 'PASS')
    throw new StepFailure(check.verdict === 'FAIL' ? formatCheck(check) : `inconclusive: ${formatCheck(check)}`);
  return check.reason;
};

function onlyCheck(response: unknown): Check {
  const verdict: Verdict = verdictSchema.parse(response);
  const [check] = verdict.checks;
  if (!check) throw new Error('an expectation was not judged');
  return check;
}

const stepRunners: { readonly [Name in Kind]: StepRunner<NonNullable<Step[Name]>> } = {
  request: runRequest,
  clock: async ({ target }, body) => describeExecutedJobs(await target.admin('/clock', { method: 'POST', body })),
  trigger: runTrigger,
  file: async ({ target }, body) => {
    const { name, bytes } = droppedFileSchema.parse(await target.admin('/imports', { method: 'POST', body }));
    return `${name}, ${pluralize(bytes, 'byte')}`;
  },
  fault: async ({ target }, body) => {
    const { id } = z.looseObject({ id: z.string() }).parse(await target.admin('/faults', { method: 'POST', body }));
    return `rule ${id}`;
  },
  clearFaults: async ({ target }, which) => {
    await target.admin(which === true ? '/faults' : `/faults/${encodeURIComponent(which)}`, { method: 'DELETE' });
    return undefined;
  },
  queue: async ({ target }, body) => describeExecutedJobs(await target.admin('/queue', { method: 'POST', body })),
  waitFor: runWait,
  check: runCheck,
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

/** Executes a step whose placeholders are filled. Throws `StepFailure`, and `InputError` when the control API rejects it. */
export function executeStep(context: StepContext, step: Step): Promise<string | undefined> {
  const kind = kindOf(step);
  // The table has the runner of each kind under its name.
  const run = stepRunners[kind] as StepRunner<unknown>;
  return run(context, step[kind], step);
}

/** Returns the name of a step, or a title made from its content. */
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
