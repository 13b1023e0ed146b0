/** How each kind of step is played. */
import * as z from 'zod';
import { monotonic } from '../core/clock.ts';
import { attemptKind } from '../core/deliveries.ts';
import { fieldPath } from '../scenario/field-path.ts';
import type { ExpectationInput } from '../scenario/expectation-schema.ts';
import { stepKinds } from '../scenario/step-schema.ts';
import { shownWritten } from '../scenario/shown.ts';
import type { Step } from '../scenario/step-schema.ts';
import { told, verdictSchema } from '../verdict/verdict.ts';
import type { Check, Verdict } from '../verdict/verdict.ts';
import { answerFaults } from './answer.ts';
import { send } from './request.ts';
import type { Answered } from './request.ts';
import type { Target } from './target.ts';

/** What a step works with. */
export interface Stage {
  readonly target: Target;
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
type Play<Given> = (stage: Stage, given: Given, step: Step) => Promise<string | undefined>;

type Kind = Exclude<keyof Step, 'name' | 'expect' | 'capture'>;

const usualPatience = 30_000;

const playRequest: Play<NonNullable<Step['request']>> = async (stage, request, { expect = {}, capture = {} }) => {
  const [method = '', path = ''] = typeof request === 'string' ? request.split(' ') : [];
  const { number, signal } = stage;
  const options = { step: number, within: expect.within ?? usualPatience, signal };
  const answered = await send(stage.target, typeof request === 'string' ? { method, path } : request, options);
  const faults = answerFaults(answered, expect);
  if (faults.length > 0) throw new StepFailure(faults.join('; '));
  for (const [name, place] of Object.entries(capture)) stage.values.set(name, capturedFrom(answered, place));
  return answered.broken ?? `answered ${answered.status}`;
};

function capturedFrom({ body }: Answered, place: string): unknown {
  const found = fieldPath(place)?.valuesIn(body) ?? [];
  if (found.length > 0) return found[0];
  const hint = typeof body === 'object' ? '' : '; the body itself is $';
  throw new StepFailure(`the answer has no ${place} to capture, it is ${JSON.stringify(body)?.slice(0, 200)}${hint}`);
}

const happenedSchema = z.looseObject({ happened: z.array(z.looseObject({ kind: z.string() })) });
const effectsSchema = z.looseObject({ effects: z.array(z.looseObject({ table: z.string(), change: z.string() })) });

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

/** What a turn of the clock or the queue has done. */
function jobsDone(answer: unknown): string {
  const { happened } = happenedSchema.parse(answer);
  const tried = happened.filter(({ kind }) => kind === attemptKind).length;
  const jobs = `${counted(happened.length - tried, 'job')} done`;
  return tried === 0 ? jobs : `${jobs}, ${counted(tried, 'webhook')} tried`;
}

const playTrigger: Play<NonNullable<Step['trigger']>> = async ({ target }, body) => {
  const { effects } = effectsSchema.parse(await target.admin('/trigger', { method: 'POST', body }));
  return effects.map(({ table, change }) => `${table} ${change}`).join(', ') || 'nothing changed';
};

/** The longest that one call of the control API waits. */
const longestCall = 30_000;

const playWait: Play<NonNullable<Step['waitFor']>> = async ({ target, signal }, { call, atLeast, within }) => {
  const end = monotonic() + within;
  // Only others are waited for: what steps send is no news.
  const body = { call: { by: 'client', ...call }, atLeast } satisfies ExpectationInput;
  for (;;) {
    const wait = `${Math.max(0, Math.min(longestCall, Math.ceil(end - monotonic())))}ms`;
    const check = onlyCheck(await target.admin('/verify', { method: 'POST', query: { wait }, body, signal }));
    if (check.verdict === 'PASS') return check.reason;
    if (monotonic() >= end) throw new StepFailure(`${check.reason}; waited ${within} ms`);
  }
};

const playCheck: Play<NonNullable<Step['check']>> = async ({ target }, body) => {
  const check = onlyCheck(await target.admin('/verify', { method: 'POST', body }));
  if (check.verdict !== 'PASS')
    throw new StepFailure(check.verdict === 'FAIL' ? told(check) : `does not tell: ${told(check)}`);
  return check.reason;
};

function onlyCheck(answer: unknown): Check {
  const verdict: Verdict = verdictSchema.parse(answer);
  const [check] = verdict.checks;
  if (!check) throw new Error('an expectation was not judged');
  return check;
}

const plays: { readonly [Name in Kind]: Play<NonNullable<Step[Name]>> } = {
  request: playRequest,
  clock: async ({ target }, body) => jobsDone(await target.admin('/clock', { method: 'POST', body })),
  trigger: playTrigger,
  fault: async ({ target }, body) => {
    const { id } = z.looseObject({ id: z.string() }).parse(await target.admin('/faults', { method: 'POST', body }));
    return `rule ${id}`;
  },
  clearFaults: async ({ target }, which) => {
    await target.admin(which === true ? '/faults' : `/faults/${encodeURIComponent(which)}`, { method: 'DELETE' });
    return undefined;
  },
  queue: async ({ target }, body) => jobsDone(await target.admin('/queue', { method: 'POST', body })),
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
export function playFilled(stage: Stage, step: Step): Promise<string | undefined> {
  const kind = kindOf(step);
  // The table has the play of each kind under its name.
  const play = plays[kind] as Play<unknown>;
  return play(stage, step[kind], step);
}

/** What a step without a name is called. */
export function titleOf(step: Step): string {
  if (step.name !== undefined) return step.name;
  const kind = kindOf(step);
  const given = step[kind];
  if (kind === 'request') return shownWritten(requestTitle(step.request));
  if (kind === 'note') return String(given);
  return `${kind} ${summary(given)}`;
}

const requestTitle = (request: Step['request']): string =>
  typeof request === 'object' ? `${request.method} ${request.path}` : String(request);

const longestTitle = 70;

function summary(given: unknown): string {
  const shown = shownWritten(given);
  const text = typeof shown === 'string' ? shown : JSON.stringify(shown);
  return text.length > longestTitle ? `${text.slice(0, longestTitle - 1)}…` : text;
}
