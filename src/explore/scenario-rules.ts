/** Plays the rules of a scenario against a client: to see whether they still break it, and which of them it takes. */
import { assignIds } from '../core/lib/rule-set.ts';
import { compileFault } from '../faults/fault-rules.ts';
import { faultSchema } from '../faults/rule-schema.ts';
import type { RuleSpec } from '../faults/rule-schema.ts';
import type { WebhookRuleSpec } from '../faults/webhook-rule-schema.ts';
import { webhookRuleSchema } from '../scenario/webhook-rule-schema.ts';
import { checkReference, Reference } from '../verdict/state/reference.ts';
import { pointId, rulesForHits } from './experiment.ts';
import type { Experiment, Hit, PlannedFault, PlannedWebhook } from './experiment.ts';
import { probeOf, probes, schedules } from './probes.ts';
import { runExperiment } from './run.ts';
import type { ExploredClient, RunResult } from './run.ts';
import { shrinkHits } from './shrink.ts';
import type { Symptom } from './symptoms.ts';

type FaultOfRule = RuleSpec['fault'];

type SingleFault = Exclude<FaultOfRule, readonly unknown[]>;

/** Returns the same text for a fault however it is written: `504`, `"504"` and `{status: 504}` are one. */
const textOf = (fault: SingleFault): string => JSON.stringify(compileFault(fault));

/** Holds the probes by their faults. */
const probeByFault: ReadonlyMap<string, string> = new Map(
  probes.map(({ id, fault }) => [textOf(faultSchema.parse(fault)), id]),
);

/** Holds the rules of a scenario, with a name for each of their faults: that of a probe where it is one. */
class NamedRules {
  readonly planned: readonly PlannedFault[];
  readonly #faults = new Map<string, SingleFault>();

  constructor(rules: readonly RuleSpec[]) {
    this.planned = assignIds(rules, 'rule').map(([id, rule]) => {
      const sequence = this.#namesOf(id, rule);
      return { spec: { ...rule, id }, probe: sequence[0] ?? id, sequence };
    });
  }

  /** True when every fault is one that explore tries. */
  get areProbes(): boolean {
    return this.#faults.size === 0;
  }

  faultOf = (name: string): SingleFault => this.#faults.get(name) ?? faultSchema.parse(probeOf(name).fault);

  weakerThan = ({ probe }: Hit): readonly string[] => (this.#faults.has(probe) ? [] : probeOf(probe).weaker);

  /** Returns rules that bring about these hits alone. */
  planFor = (hits: readonly Hit[]): PlannedFault[] =>
    hits.map((hit) => {
      const { endpoint, operation, attempt, probe } = hit;
      const fields = { match: { endpoint }, operation, attempt, times: 1 };
      return { probe, spec: { id: pointId(hit), ...fields, fault: this.faultOf(probe) } };
    });

  #namesOf(id: string, { fault }: RuleSpec): string[] {
    return [fault].flat().map((one, i) => {
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
  const before = whole.hits;
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
  assignIds(specs, 'webhook').map(([id, spec]) => {
    const place = {
      endpoint: spec.match?.eventType ?? 'webhook',
      operation: [spec.nth ?? 1].flat()[0] ?? 1,
      attempt: 1,
    };
    const probe = scheduleByFault.get(JSON.stringify(spec.fault)) ?? 'late';
    return { hit: { ...place, probe }, spec: { ...spec, id } };
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
    hits: results.reduce((sum, result) => sum + result.hits.length, 0),
    note: reference
      ? undefined
      : 'The state is not compared: two runs without faults differ, or a fault is of another kind than those that explore tries.',
  };
}
