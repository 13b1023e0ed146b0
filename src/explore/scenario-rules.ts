/** Plays the rules of a scenario against a client: to see whether they still break it, and which of them it takes. */
import { ruleSchema } from '../faults/rule-schema.ts';
import type { RuleSpec } from '../faults/rule-schema.ts';
import type { WebhookRuleSpec } from '../faults/webhook-rule-schema.ts';
import { webhookRuleSchema } from '../scenario/webhook-rule-schema.ts';
import { checkReference, Reference } from '../verdict/state/reference.ts';
import { hitOf, pointId, rulesForHits } from './experiment.ts';
import type { Experiment, Hit, PlannedFault, PlannedWebhook } from './experiment.ts';
import { incidentOf, probeOf, probes, schedules } from './probes.ts';
import { runExperiment } from './run.ts';
import type { ExploredClient, RunResult } from './run.ts';
import { shrinkHits } from './shrink.ts';
import type { Symptom } from './symptoms.ts';

type FaultOfRule = RuleSpec['fault'];

const textOf = (fault: FaultOfRule): string => JSON.stringify(fault);

/** Holds the probes by their faults, as a scenario file has them when it is parsed. */
const probeByFault: ReadonlyMap<string, string> = new Map(
  probes.map(({ id, fault }) => [textOf(ruleSchema.parse({ fault }).fault), id]),
);

/** Holds the rules of a scenario, with a name for each of their faults: that of a probe where it is one. */
class NamedRules {
  readonly planned: readonly PlannedFault[];
  readonly #faults = new Map<string, FaultOfRule>();
  readonly #namesByRule = new Map<string, readonly string[]>();

  constructor(rules: readonly RuleSpec[]) {
    this.planned = rules.map((rule, i) => {
      const id = rule.id ?? `rule-${i + 1}`;
      const names = this.#namesOf(id, rule);
      this.#namesByRule.set(id, names);
      return { spec: { ...rule, id }, probe: names[0] ?? id };
    });
  }

  /** True when every fault is one that explore tries. */
  get areProbes(): boolean {
    return this.#faults.size === 0;
  }

  faultOf = (name: string): FaultOfRule =>
    this.#faults.get(name) ?? ruleSchema.parse({ fault: probeOf(name).fault }).fault;

  weakerThan = ({ probe }: Hit): readonly string[] => (this.#faults.has(probe) ? [] : probeOf(probe).weaker);

  /** Returns what was hit in a run of these rules. */
  hitsIn({ calls }: RunResult): Hit[] {
    return calls.flatMap((call) => {
      const { fault } = call.exchange;
      const names = this.#namesByRule.get(fault?.rule ?? '');
      // Of a list, each fault has its turn.
      const name = fault && names?.[(fault.hit - 1) % names.length];
      return name === undefined ? [] : [hitOf(call, name)];
    });
  }

  /** Returns rules that bring about these hits alone. */
  planFor = (hits: readonly Hit[]): PlannedFault[] =>
    hits.map((hit) => {
      const { endpoint, operation, attempt, probe } = hit;
      const fields = { match: { endpoint }, operation, attempt, times: 1 };
      return { probe, spec: { id: pointId(hit), ...fields, fault: this.faultOf(probe) } };
    });

  #namesOf(id: string, { fault }: RuleSpec): string[] {
    return (Array.isArray(fault) ? fault : [fault]).map((one: FaultOfRule, i) => {
      const name = probeByFault.get(textOf(one)) ?? `${id}.${i + 1}`;
      if (!probeByFault.has(textOf(one))) this.#faults.set(name, one);
      return name;
    });
  }
}

const experimentOf = (title: string, rules: readonly PlannedFault[]): Experiment => ({ title, level: 1, rules });

export interface ShrunkScenario {
  /** Holds what the first run failed for, and what the smaller one still does; undefined when it did not fail. */
  readonly symptom: Symptom | undefined;
  /** False when the faults that hit did not show it again. */
  readonly isReproduced: boolean;
  readonly rules: readonly RuleSpec[];
  readonly hits: readonly Hit[];
  /** Counts the faults that hit in the first run. */
  readonly hitsBefore: number;
  readonly runs: number;
}

/** Shrinks the rules of a scenario to what the first finding of their run needs. */
export async function shrinkScenario(client: ExploredClient, rules: readonly RuleSpec[]): Promise<ShrunkScenario> {
  const named = new NamedRules(rules);
  let runs = 0;
  const play = async (title: string, planned: readonly PlannedFault[]): Promise<RunResult> => {
    const result = await runExperiment(client, experimentOf(title, planned), { number: ++runs, reference: undefined });
    client.closeTenant(result.tenant);
    return result;
  };
  const whole = await play('the scenario', named.planned);
  const before = named.hitsIn(whole);
  const [symptom] = whole.symptoms;
  const unshrunk = { symptom, isReproduced: false, rules, hits: before, hitsBefore: before.length, runs };
  if (!symptom) return unshrunk;
  const shows = async (hits: readonly Hit[]): Promise<boolean> => {
    const { symptoms } = await play('shrinking', named.planFor(hits));
    return symptoms.some(({ rule, endpoint }) => rule === symptom.rule && endpoint === symptom.endpoint);
  };
  const isLikely = (hit: Hit): boolean =>
    symptom.hits.some((one) => one.operation === hit.operation && one.endpoint === hit.endpoint);
  const shrunk = await shrinkHits(before, shows, {
    likely: [before.filter(isLikely)],
    weakerThan: named.weakerThan,
  });
  if (!shrunk.isReproduced) return { ...unshrunk, runs };
  return {
    ...unshrunk,
    isReproduced: true,
    hits: shrunk.hits,
    rules: rulesForHits(shrunk.hits, named.faultOf),
    runs,
  };
}

/** Counts the webhooks that were put off their schedule. */
const webhooksHitIn = ({ hits }: RunResult): number =>
  hits.filter(({ probe }) => incidentOf(probe).phase === 'webhook').length;

export interface Replay {
  /** Holds what each run showed. */
  readonly symptoms: readonly (readonly Symptom[])[];
  /** Counts the requests and webhooks that were hit. */
  readonly hits: number;
  /** Says why the state was not compared, if it was not. */
  readonly note: string | undefined;
}

/** Sets how often a finding is played again. */
const repetitions = 3;

/** Holds the rules of a scenario: about requests, and about webhooks. */
export interface ScenarioRules {
  readonly rules: readonly RuleSpec[];
  readonly webhooks: readonly WebhookRuleSpec[];
}

const scheduleByFault: ReadonlyMap<string, string> = new Map(
  schedules.map(({ id, fault }) => [JSON.stringify(webhookRuleSchema.parse({ fault }).fault), id]),
);

/** Returns rules about webhooks with the schedules that they bring about. Other faults only count as hits. */
const plannedWebhooks = (specs: readonly WebhookRuleSpec[]): PlannedWebhook[] =>
  specs.map((spec, i) => {
    const place = {
      endpoint: spec.match?.eventType ?? 'webhook',
      operation: [spec.nth ?? 1].flat()[0] ?? 1,
      attempt: 1,
    };
    const probe = scheduleByFault.get(JSON.stringify(spec.fault)) ?? 'late';
    return { hit: { ...place, probe }, spec: { ...spec, id: spec.id ?? `webhook-${i + 1}` } };
  });

/** Plays rules several times, and holds each run against two without faults, as exploring does. */
export async function replayRules(client: ExploredClient, { rules, webhooks }: ScenarioRules): Promise<Replay> {
  const named = new NamedRules(rules);
  const planned = plannedWebhooks(webhooks);
  const plain = experimentOf('without faults', []);
  const first = await runExperiment(client, plain, { number: 1, reference: undefined });
  const second = await runExperiment(client, plain, { number: 2, reference: undefined });
  const isSame = checkReference(second.tenant, first.tenant).verdict === 'PASS';
  const areSchedules = webhooks.every(({ fault }) => scheduleByFault.has(JSON.stringify(fault)));
  const reference = isSame && named.areProbes && areSchedules ? new Reference(first.tenant) : undefined;
  const results: RunResult[] = [];
  for (let i = 0; i < repetitions; i++) {
    const experiment = { ...experimentOf('replay', named.planned), webhooks: planned };
    const result = await runExperiment(client, experiment, { number: 3 + i, reference });
    client.closeTenant(result.tenant);
    results.push(result);
  }
  for (const { tenant } of [first, second]) client.closeTenant(tenant);
  return {
    symptoms: results.map(({ symptoms }) => symptoms),
    hits: results.reduce((sum, result) => sum + named.hitsIn(result).length + webhooksHitIn(result), 0),
    note: reference
      ? undefined
      : 'The state is not compared: two runs without faults differ, or a fault is of another kind than those that explore tries.',
  };
}
