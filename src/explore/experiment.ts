/** Turns what is to go wrong into rules, and tells from a run what did. */
import type { RuleSpec } from '../faults/rule-schema.ts';
import type { WebhookRuleSpec } from '../faults/webhook-rule-schema.ts';
import { webhookRuleSchema } from '../scenario/webhook-rule-schema.ts';
import type { Call } from './trace.ts';
import { callId } from './trace.ts';
import { incidentOf, isOfWebhook, probeOf } from './probes.ts';
import type { Probe, Schedule } from './probes.ts';

/** Describes one fault at one request of a run. */
export interface Hit extends Pick<Call, 'endpoint' | 'operation' | 'attempt'> {
  /** Names the fault. */
  readonly probe: string;
}

/** Names one fault at one request: `createReceipt#2.1/504-after`. */
export const pointId = (hit: Hit): string => `${callId(hit)}/${hit.probe}`;

const pointPattern = /^([\w.]+)#(\d+)\.(\d+)\/([\w-]+)$/;

/** Returns the fault and the request that a point names; undefined for one that is about several, or a kill. */
export function parsePoint(id: string): Hit | undefined {
  const [, endpoint, operation, attempt, probe = ''] = pointPattern.exec(id) ?? [];
  if (endpoint === undefined || probe.startsWith('killed-')) return undefined;
  return { endpoint, operation: Number(operation), attempt: Number(attempt), probe };
}

export const hitOf = ({ endpoint, operation, attempt }: Omit<Hit, 'probe'>, probe: Probe | Schedule | string): Hit => ({
  endpoint,
  operation,
  attempt,
  probe: typeof probe === 'string' ? probe : probe.id,
});

/** `before`: the service has done nothing yet; `work`: it has, and the client does not know; `response`: it has just gone out. */
export const killMoments = ['before', 'work', 'response'] as const;

export type KillMoment = (typeof killMoments)[number];

/** Says at which request the client is killed, and when. */
export interface Kill extends Pick<Call, 'endpoint' | 'operation' | 'attempt'> {
  readonly moment: KillMoment;
}

/** Names a kill: `createReceipt#2.1/killed-work`. */
export const killId = (kill: Kill): string => `${callId(kill)}/killed-${kill.moment}`;

/** Names the level of runs in which webhooks come otherwise than they should. */
export const webhookLevel = 5;

/** Names the level of runs in which the client is killed. */
export const killLevel = 6;

/** Describes a run of the client in which these rules make requests fail. */
export interface Experiment {
  /** Says in a line what goes wrong. */
  readonly title: string;
  /** Ranges from 1, a single fault, to 5, a schedule of webhooks; 0 for a run without any; `killLevel` for a kill. */
  readonly level: number;
  readonly rules: readonly PlannedFault[];
  readonly webhooks?: readonly PlannedWebhook[];
  /** Says where the client is killed, if it is. */
  readonly kill?: Kill | undefined;
  /** Holds assumptions that are others than those in force: `{ "A-24": "twice" }`. */
  readonly assumptions?: Readonly<Record<string, string>> | undefined;
}

/** Holds a rule with the id by which the journal shows what it hit, and the fault that it brings. */
export interface PlannedFault {
  readonly spec: RuleSpec & { readonly id: string };
  readonly probe: string;
  /** Names the faults of a list, each of which has its turn (default: only `probe`). */
  readonly sequence?: readonly string[];
}

/** Holds a rule about one webhook, and what it brings about. */
export interface PlannedWebhook {
  readonly spec: WebhookRuleSpec & { readonly id: string };
  readonly hit: Hit;
}

/** Returns the rule that puts a webhook off its schedule; further attempts count, so that it is the first of its webhook. */
const webhookRuleFor = (hit: Hit): WebhookRuleSpec =>
  webhookRuleSchema.parse({
    match: { eventType: hit.endpoint },
    nth: hit.operation,
    times: 1,
    fault: incidentOf(hit.probe).fault,
  });

/** Returns the rules of a scenario that bring about these hits of webhooks. */
export const webhookRulesForHits = (hits: readonly Hit[]): WebhookRuleSpec[] =>
  hits.filter(isOfWebhook).map(webhookRuleFor);

/** Returns the rule that brings about one hit. */
const ruleForHit = (hit: Hit): PlannedFault =>
  planned(pointId(hit), hit.probe, {
    match: { endpoint: hit.endpoint },
    operation: hit.operation,
    attempt: hit.attempt,
    times: 1,
  });

/** Returns a rule that brings a fault to requests that these fields select. */
export function planned(id: string, probe: string, fields: Omit<RuleSpec, 'id' | 'fault'>): PlannedFault {
  return { probe, spec: { id, ...fields, fault: faultOfProbe(probe) } };
}

// No probe names an end as packets do, which is all that the two types differ in.
const faultOfProbe = (probe: string): RuleSpec['fault'] => probeOf(probe).fault as RuleSpec['fault'];

export const experimentFor = (title: string, level: number, hits: readonly Hit[]): Experiment => ({
  title,
  level,
  rules: hits.filter((hit) => !isOfWebhook(hit)).map(ruleForHit),
  webhooks: hits.filter(isOfWebhook).map((hit) => ({ hit, spec: { ...webhookRuleFor(hit), id: pointId(hit) } })),
});

/** Returns what was hit in a run, in the order in which it happened. */
export function hitsIn(calls: readonly Call[], { rules }: Experiment): Hit[] {
  const probesByRule = new Map(rules.map(({ spec, probe, sequence = [probe] }) => [spec.id, sequence]));
  return calls.flatMap((call) => {
    const { rule = '', hit = 0 } = call.exchange.fault ?? {};
    const probes = probesByRule.get(rule) ?? [];
    const probe = probes[(hit - 1) % probes.length];
    return probe === undefined ? [] : [hitOf(call, probe)];
  });
}

/** Returns as few rules as bring about these hits, as a person would write them. */
export function rulesForHits(
  hits: readonly Hit[],
  faultOf: (probe: string) => RuleSpec['fault'] = faultOfProbe,
): RuleSpec[] {
  const groups = new Map<string, Hit[]>();
  for (const hit of hits.filter((one) => !isOfWebhook(one))) {
    const name = `${hit.endpoint}#${hit.operation}/${hit.probe}`;
    groups.set(name, [...(groups.get(name) ?? []), hit]);
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const attempts = group.map(({ attempt }) => attempt);
    const rule: RuleSpec = {
      match: { endpoint: first.endpoint },
      operation: first.operation,
      attempt: attempts.length === 1 ? first.attempt : attempts,
      times: attempts.length,
      fault: faultOf(first.probe),
    };
    return [rule];
  });
}
