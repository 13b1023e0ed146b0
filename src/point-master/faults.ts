import * as z from 'zod';
import { durationForms, parseDuration } from '../core/lib/duration.ts';
import { InputError } from '../core/lib/input-error.ts';
import { compileActivation } from '../core/lib/activation.ts';
import { seededRandom } from '../core/lib/random.ts';
import { RuleKind, RuleSet } from '../core/lib/rule-set.ts';
import type { CompiledRule } from '../core/lib/rule-set.ts';
import { didYouMean } from '../core/lib/suggest.ts';
import { describeIssue, describeIssues } from './schemas.ts';

/** Names the requests that a fault can hit. */
export type FaultTarget = 'webhook' | 'history' | 'sync';

const callFaults = ['down', 'error', 'slow', 'lost-response'] as const;
const syncFaults = ['late-sync', 'repeated-sync', 'stale-sync', 'partial-sync'] as const;
const names = [...callFaults, ...syncFaults] as const;
export type PointMasterFaultName = (typeof names)[number];

const withDelay: ReadonlySet<string> = new Set<PointMasterFaultName>(['slow', 'late-sync']);
const longestDelay = 3_600_000;

const delaySchema = z.union([z.number(), z.string()], `must be ${durationForms}`).transform((sent, context) => {
  const milliseconds = typeof sent === 'number' ? sent : (parseDuration(sent)?.milliseconds ?? -1);
  if (milliseconds >= 0 && milliseconds <= longestDelay) return milliseconds;
  context.issues.push({ code: 'custom', message: `must be ${durationForms}, at most 1h`, input: sent });
  return z.NEVER;
});

const chance = 'must be a number from 0 to 1';

export const pointMasterFaultSchema = z
  .strictObject({
    fault: z.enum(names, {
      error: ({ input }) =>
        `must be one of ${names.join(', ')}${typeof input === 'string' ? didYouMean(input, names) : ''}`,
    }),
    /** Sets the status of `error`. */
    status: z
      .int('must be a status')
      .min(400, 'must be from 400 to 599')
      .max(599, 'must be from 400 to 599')
      .optional(),
    /** Sets the delay of `slow` and `late-sync`, in milliseconds or as a duration. */
    delay: delaySchema.optional(),
    /** Names the requests of the service that the fault hits (default: both). */
    at: z.enum(['webhook', 'history'], 'must be webhook or history').optional(),
    /** Limits how often the fault fires (default: always). */
    times: z.int('must be a whole number').min(1, 'must be at least 1').optional(),
    probability: z.number(chance).min(0, chance).max(1, chance).optional(),
  })
  .superRefine(({ fault, status, delay, at }, context) => {
    const issue = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    if (withDelay.has(fault) && delay === undefined) issue('delay', `is needed by ${fault}, as "2s"`);
    if (!withDelay.has(fault) && delay !== undefined) issue('delay', `means nothing to ${fault}`);
    if (fault !== 'error' && status !== undefined) issue('status', `means nothing to ${fault}`);
    if (at !== undefined && syncFaults.some((name) => name === fault)) issue('at', `means nothing to ${fault}`);
  });

export type PointMasterFaultRule = z.input<typeof pointMasterFaultSchema>;

/** Describes the fault that hits one request. */
export type ActiveFault = Pick<z.output<typeof pointMasterFaultSchema>, 'fault' | 'status' | 'delay'>;

/** Selects a fault for a request that no rule of the point master's own hits. */
export type FaultSource = (target: FaultTarget, tenant: string) => ActiveFault | undefined;

/** Shows a rule with how often it has fired. */
export type CountedFaultRule = StandaloneFaultRule & { readonly fired: number };

type StandaloneFaultRule = z.output<typeof pointMasterFaultSchema> & { readonly id?: undefined };

type CompiledFaultRule = CompiledRule<StandaloneFaultRule, FaultTarget, ActiveFault>;

interface FaultsOptions {
  readonly seed?: number | undefined;
  readonly others?: FaultSource | undefined;
}

/** Holds the point master's own rules, and passes requests that none of them hits to another source of rules. */
export class PointMasterFaults {
  readonly #set: RuleSet<StandaloneFaultRule, FaultTarget, ActiveFault, CompiledFaultRule>;
  readonly #others: FaultSource;

  constructor(rules: readonly PointMasterFaultRule[] = [], { seed = 1, others = () => undefined }: FaultsOptions = {}) {
    this.#others = others;
    this.#set = new RuleSet(
      new RuleKind({ prefix: 'master', compile: (spec: StandaloneFaultRule, id) => compileFaultRule(spec, id, seed) }),
    );
    this.set(rules);
  }

  get list(): readonly CountedFaultRule[] {
    return this.#set.rules.map(({ rule: { spec }, fired }) => ({ ...spec, fired }));
  }

  /** Replaces the rules. Throws an `InputError` that names every mistake. */
  set(rules: readonly PointMasterFaultRule[]): void {
    const parsed = z.array(pointMasterFaultSchema, 'must be a list of faults').safeParse(rules);
    if (!parsed.success) {
      const messages = parsed.error.issues.map((issue) => describeIssue({ ...issue, path: ['faults', ...issue.path] }));
      throw new InputError(messages.join('\n'));
    }
    this.#set.replace(parsed.data);
  }

  /** Returns the fault that hits this request: the first own rule that fires decides, then the other source. */
  select(target: FaultTarget, tenant: string): ActiveFault | undefined {
    // No rule of its own has a window of time.
    return this.#set.select(target, 0)?.fault ?? this.#others(target, tenant);
  }
}

function compileFaultRule(spec: StandaloneFaultRule, id: string, seed: number): CompiledFaultRule {
  const activation = compileActivation(spec, 1);
  const isOfSync = syncFaults.some((name) => name === spec.fault);
  return {
    id,
    spec: spec,
    matches: (target) => isOfSync === (target === 'sync') && (spec.at ?? target) === target,
    activation,
    faults: [spec],
    limit: activation.limit,
    // By how many requests it matched, so that the same requests draw the same samples in every run.
    createSampler: () => (_, matched) => (name) => seededRandom(seed, `${id}/${matched}/${name}`),
  };
}

/** Parses `down`, `error=503*2` or `slow=2s*3`: a name, its value, and how often it fires. */
export function parseFaultText(text: string): PointMasterFaultRule {
  const [, name = '', value, times] = /^([a-z-]+)(?:=([^*]+))?(?:\*(\d+))?$/.exec(text.trim()) ?? [];
  const fault = names.find((known) => known === name);
  if (fault === undefined) {
    throw new InputError(
      `must be one of ${names.join(', ')}, as "error=503*2" or "slow=2s", not "${text}"${didYouMean(name, names)}`,
    );
  }
  const rule = {
    fault,
    ...(value !== undefined && (fault === 'error' ? { status: Number(value) } : { delay: value })),
    ...(times !== undefined && { times: Number(times) }),
  };
  const parsed = pointMasterFaultSchema.safeParse(rule);
  if (parsed.success) return rule;
  throw new InputError(`"${text}": ${describeIssues(parsed.error)}`);
}
