/** Finds by itself where a client's requests break: learns them, plans faults, runs, judges, and shrinks what it finds. */
import type { Tenant } from '../core/tenant/tenant.ts';
import { monotonicNow } from '../core/time/clock.ts';
import type { RuleSpec } from '../faults/rule-schema.ts';
import type { WebhookRuleSpec } from '../faults/webhook-rule-schema.ts';
import { scenarioOf } from '../scenario/scenario.ts';
import { Reference } from '../verdict/state/reference.ts';
import type { Verdict } from '../verdict/verdict.ts';
import { Coverage } from './coverage.ts';
import type { CoverageSummary, PointFate } from './coverage.ts';
import { experimentFor, killId, pointId, rulesForHits, webhookLevel, webhookRulesForHits } from './experiment.ts';
import type { Experiment, Hit, Kill } from './experiment.ts';
import { learn } from './learn.ts';
import type { KeptRun, Learned } from './learn.ts';
import { explorationStatus } from './live/exploration-status.ts';
import type { ExplorationEnd } from './live/exploration-status.ts';
import { LiveExploration } from './live/live-exploration.ts';
import { ShownRuns } from './live/shown-runs.ts';
import { Limiter } from './scheduling/limiter.ts';
import { Patience } from './patience.ts';
import { Plan } from './plan.ts';
import { Past } from './past.ts';
import type { ExplorationBasis, PastExploration } from './past.ts';
import { incidentOf } from './probes.ts';
import { counted, formatFaults } from './report/words.ts';
import { maxUndecided, runExperiment } from './run.ts';
import type { ExploredClient, RunResult } from './run.ts';
import { isSameSymptom } from './symptoms.ts';
import type { Symptom } from './symptoms.ts';
import { shrinkHits } from './shrink.ts';
import { PassedRuns, varyAssumptions } from './vary.ts';
import type { Variation } from './vary.ts';

/** Describes something wrong with the client, with as few faults as show it. */
export interface Finding extends Omit<Symptom, 'requests'> {
  /** Names it among the findings of an exploration. */
  readonly id: string;
  /** Holds the fewest and weakest faults that show it. */
  readonly hits: readonly Hit[];
  /** Says where the client was killed, if that shows it. */
  readonly kill?: Kill | undefined;
  /** Holds the rules of a scenario that shows it; none for a kill. */
  readonly rules: readonly RuleSpec[];
  /** Holds those about webhooks. */
  readonly webhooks: readonly WebhookRuleSpec[];
  /** Counts runs from 1, the two without faults included. */
  readonly firstRun: number;
  /** Counts the runs that shrinking took. */
  readonly shrinkRuns: number;
  /** Says how many of the repetitions showed it again; none are made of what a run without faults shows. */
  readonly reproduced: { readonly shown: number; readonly of: number };
  /** Names other rules that the same faults break. */
  readonly also: readonly string[];
  /** Holds the verdict of the last run that showed it. */
  readonly verdict: Verdict;
  /** Names the assumptions that this run rests on. */
  readonly assumptions: ReadonlySet<string>;
}

export interface ExploreSettings {
  /** Sets the highest level of faults, from 1 to 5. */
  readonly levels: number;
  /** Sets the time after which no run is begun, in ms; none by default. */
  readonly budget?: number | undefined;
  /**
   * Limits the number of runs that try something; those without faults, and those that shrink and repeat, come on top.
   */
  readonly maxRuns?: number | undefined;
  /** Sets the number of runs side by side. */
  readonly jobs: number;
  /** True to kill the client too, at every call (default: false). */
  readonly kills?: boolean | undefined;
  /** True to run what was found, and what passed, under every variant of its assumptions (default: false). */
  readonly vary?: boolean | undefined;
  /** Limits the time that the runs which shrink one finding take together, in ms (default: 4 min). */
  readonly shrinkTime?: number | undefined;
  /** Says which runs of the plan are made (default: all). */
  readonly only?: ((experiment: Experiment) => boolean) | undefined;
  /** True to try every point by itself, also those that another stands for. */
  readonly isExhaustive?: boolean | undefined;
  /** Holds an earlier exploration: what it tried is not tried again where nothing has changed since. */
  readonly since?: PastExploration | undefined;
  /** Names the version of the simulator. */
  readonly version: string;
  readonly onProgress?: ((progress: ExploreProgress) => void) | undefined;
  /** Is called at the begin with what shows how far the exploration is. */
  readonly onBegin?: ((live: LiveExploration) => void) | undefined;
}

export type ExploreProgress =
  | { readonly event: 'learned'; readonly requests: number; readonly points: number }
  | {
      readonly event: 'run';
      readonly run: number;
      readonly title: string;
      readonly found: number;
      /** Counts the points that are known; what runs show leads to more. */
      readonly points: number;
      readonly remaining: number;
    }
  | { readonly event: 'finding'; readonly finding: Finding }
  | { readonly event: 'unconfirmed'; readonly finding: Finding }
  | { readonly event: 'varying'; readonly runs: number };

export interface Exploration {
  readonly status: ExplorationEnd;
  /** Says in a sentence why it is that. */
  readonly reason: string;
  readonly findings: readonly Finding[];
  /** Holds what one run showed and none of its repetitions: its cause is unknown, so that it is no finding yet. */
  readonly unconfirmed: readonly Finding[];
  /** Holds the verdict on the run without faults that exploring stopped at; undefined when it did not stop. */
  readonly stoppedBy: Verdict | undefined;
  readonly coverage: CoverageSummary;
  readonly points: readonly PointFate[];
  /** Lets a later exploration tell what has changed. */
  readonly basis: ExplorationBasis;
  readonly notes: readonly string[];
  /** Says what depends on assumptions, if they were varied. */
  readonly variations: readonly Variation[];
  /** Counts all runs. */
  readonly runs: number;
  /** Counts the requests of a run without faults. */
  readonly requests: number;
  /** Holds the duration in ms. */
  readonly ms: number;
  /** Names each run with what went wrong in it, and how it was judged. */
  readonly log: readonly RunLine[];
}

export interface RunLine {
  readonly run: number;
  /** Counts the runs of the plan from 1, as they began; undefined for those that learn, shrink and repeat. */
  readonly place: number | undefined;
  readonly title: string;
  readonly level: number;
  readonly hits: number;
  readonly symptoms: readonly string[];
  readonly ms: number;
}

interface RunOptions {
  readonly place?: number;
  /** True for a run whose tenant whoever calls closes (default: false). */
  readonly isKept?: boolean;
  /** Holds what the state is compared with (default: the first run without faults). */
  readonly reference?: Reference | undefined;
}

/** Limits the time of the runs that shrink one finding, in ms. */
const maxShrinkTime = 240_000;

/** Sets how often a finding is tried again. */
const repetitions = 3;

/** Limits the runs that try at once what a finding can do without: the first of them that shows it makes the others needless. */
const maxSideBySide = 4;

export const explore = (client: ExploredClient, settings: ExploreSettings): Promise<Exploration> =>
  new Explorer(client, settings).explore();

class Explorer {
  readonly #client: ExploredClient;
  readonly #settings: ExploreSettings;
  readonly #limiter: Limiter;
  readonly #patience = new Patience();
  readonly #coverage = new Coverage();
  readonly #findings = new Map<string, Finding | undefined>();
  /** Holds the first run that showed a finding, by its id. */
  readonly #firstRuns = new Map<string, number>();
  /** Holds those that were reported, in this order. */
  readonly #reported: Finding[] = [];
  /** Holds what did not show again, by its id, as often as it was tried. */
  readonly #doubtful = new Map<string, Finding[]>();
  #unconfirmed: readonly Finding[] = [];
  readonly #shrinking = new Set<Promise<void>>();
  readonly #lines = new Map<string, Promise<void>>();
  readonly #notes: string[] = [];
  readonly #passed = new PassedRuns();
  readonly #shown: ShownRuns;
  readonly #live: LiveExploration;
  #variations: readonly Variation[] = [];
  readonly #log: RunLine[] = [];
  readonly #started = monotonicNow();
  #reference: Tenant | undefined;
  /** Holds what the state is compared with; undefined where that would prove nothing. */
  #expected: Reference | undefined;
  #basis: ExplorationBasis;
  #stoppedBy: Verdict | undefined;
  #runs = 0;
  /** Counts the runs of the plan: not those that learn, shrink or repeat. */
  #planned = 0;

  constructor(client: ExploredClient, settings: ExploreSettings) {
    this.#client = client;
    this.#settings = settings;
    this.#limiter = new Limiter({ limit: settings.jobs });
    this.#shown = new ShownRuns(client.closeTenant);
    this.#live = new LiveExploration({ coverage: this.#coverage, shown: this.#shown });
    this.#basis = { version: settings.version, settings: '', requests: [] };
  }

  async explore(): Promise<Exploration> {
    this.#settings.onBegin?.(this.#live);
    const learned = await this.#learn();
    if (learned.wrong !== undefined) {
      this.#closeReference();
      return this.#stop(learned.last, learned.wrong);
    }
    const { first } = learned;
    const plan = new Plan(first.calls, {
      levels: this.#settings.levels,
      isExhaustive: this.#settings.isExhaustive ?? false,
      isAlone: this.#settings.isExhaustive ?? false,
      kills: (this.#settings.kills ?? false) && this.#client.runKilled !== undefined,
      maxAttempts: this.#reference && scenarioOf(this.#reference).policy.maxAttempts,
      coverage: this.#coverage,
      past: this.#past(),
      onNote: (note) => void this.#notes.push(note),
      webhooks: first.webhooks,
    });
    this.#noteWebhooks(first);
    this.#live.learned(first.calls.length);
    this.#settings.onProgress?.({ event: 'learned', requests: first.calls.length, points: this.#coverage.size });
    await plan.play((line, experiment) => this.#try(line, experiment));
    this.#live.enter('shrinking');
    await this.#shrunk();
    this.#tellUnconfirmed();
    if (this.#settings.vary) {
      this.#live.enter('varying');
      await this.#vary(first);
    }
    this.#closeReference();
    const count = this.#reported.length;
    const reason = count > 0 ? counted(count, 'finding') : this.#reasonWithoutFindings();
    return this.#result(count === 0 ? 'clean' : 'found', reason, first.calls.length);
  }

  /** Notes that there was nothing to try at level 5, or that nobody asked for it. */
  #noteWebhooks({ webhooks }: RunResult): void {
    const isAsked = this.#settings.levels >= webhookLevel;
    if (isAsked && webhooks.length === 0)
      this.#notes.push(
        'Level 5: no webhook was delivered without faults, so that none could be late, lost or doubled.',
      );
    if (!isAsked && webhooks.length > 0)
      this.#notes.push(
        `${webhooks.length} webhooks were delivered without faults; level 5 delivers them twice, late and out of order.`,
      );
  }

  #closeReference(): void {
    if (this.#reference) this.#client.closeTenant(this.#reference);
  }

  /** Runs the client twice without faults. */
  async #learn(): Promise<Learned> {
    const plain: Experiment = { title: 'without faults', level: 0, rules: [] };
    const learned = await learn({
      run: () => this.#run(plain, { isKept: true }),
      closeTenant: this.#client.closeTenant,
    });
    const { first, comparesState, notes, basis } = learned;
    this.#reference = first.tenant;
    this.#expected = comparesState ? new Reference(first.tenant) : undefined;
    this.#notes.push(...notes);
    if (basis) this.#basis = { ...this.#basis, ...basis };
    return learned;
  }

  /** Reports what a run without faults shows, which exploring can't begin from. */
  #stop(run: RunResult, reason: string): Exploration {
    for (const finding of firstOfEach(run.symptoms).map((symptom) => faultlessFinding(symptom, run))) {
      this.#reported.push(finding);
      this.#live.find({ ...wordsOf(finding.id, finding, undefined), shrunk: true });
    }
    this.#stoppedBy = run.verdict;
    return this.#result('stopped', reason, 0);
  }

  /** Returns what may be kept of an earlier exploration. */
  #past(): Past | undefined {
    const { since } = this.#settings;
    const past = since && new Past(since, this.#basis);
    if (past?.changed === undefined) return past;
    this.#notes.push(`Nothing is kept of the last exploration, which was made ${past.changed}.`);
    return undefined;
  }

  /** Runs an experiment, unless the time is up, and notes what it shows. */
  async #try(line: string, experiment: Experiment): Promise<RunResult | undefined> {
    const result = await this.#limiter.run(line, () => {
      if (this.#isOver() || this.#settings.only?.(experiment) === false) return undefined;
      return this.#run(experiment, { place: ++this.#planned, isKept: true });
    });
    if (!result) return undefined;
    for (const symptom of firstOfEach(result.symptoms)) this.#note(symptom, result);
    this.#letGo(result.tenant);
    this.#passed.note(result);
    if (!experiment.kill) this.#coverage.note(result, (symptom) => keyOf(symptom));
    this.#settings.onProgress?.({
      event: 'run',
      run: result.number,
      title: experiment.title,
      found: this.#findings.size,
      points: this.#coverage.size,
      remaining: this.#coverage.remaining,
    });
    return result;
  }

  #isOver(): boolean {
    const { budget = Infinity, maxRuns = Infinity } = this.#settings;
    return this.#planned >= maxRuns || monotonicNow() - this.#started > budget;
  }

  async #run(
    experiment: Experiment,
    { place, isKept = false, reference = this.#expected }: RunOptions = {},
  ): Promise<KeptRun> {
    const number = ++this.#runs;
    const result = await runExperiment(this.#client, experiment, {
      number,
      reference,
      patience: this.#patience,
      onOpened: ({ name }) => this.#live.begin(number, experiment, name),
    });
    this.#live.endRun(number);
    const { title, level } = experiment;
    const symptoms = result.symptoms.map(({ rule, endpoint }) => `${rule} ${endpoint}`);
    this.#log.push({
      run: number,
      place,
      title,
      level,
      hits: result.hits.length,
      symptoms: [...new Set(symptoms)],
      ms: result.ms,
    });
    if (!isKept) this.#client.closeTenant(result.tenant);
    return result;
  }

  /** Closes the tenant of a run, unless it shows a finding. */
  #letGo(tenant: Tenant): void {
    if (!this.#shown.has(tenant)) this.#client.closeTenant(tenant);
  }

  /** Shrinks what is shown for the first time. */
  #note(symptom: Symptom, result: KeptRun): void {
    const key = keyOf(symptom, result.experiment.kill);
    this.#noteFirstRun(key, result.number);
    if (this.#findings.has(key)) return;
    this.#findings.set(key, undefined);
    this.#shown.keep(key, result.tenant);
    this.#live.find({ ...wordsOf(key, symptom, result.experiment.kill), shrunk: false });
    // One after the other of a kind: what is known of the first makes the others short, and what a run breaks first names
    // all that the same faults break.
    const kind = kindOf(symptom, result.experiment.kill);
    const lines = [`${symptom.rule} ${kind}`, `${symptom.endpoint} ${kind}`];
    const work = Promise.all(lines.map((line) => this.#lines.get(line)))
      .then(() => this.#shrink(key, symptom, result))
      .finally(() => this.#shrinking.delete(work));
    for (const line of lines) this.#lines.set(line, work);
    this.#shrinking.add(work);
  }

  async #shrink(key: string, symptom: Symptom, found: RunResult): Promise<void> {
    // It was reported with another by now.
    if (this.#findings.get(key)) return this.#live.drop(key);
    let [runs, spent] = [0, 0];
    let last: RunResult | undefined;
    const { kill } = found.experiment;
    const time = this.#settings.shrinkTime ?? maxShrinkTime;
    const shows = async (hits: readonly Hit[]): Promise<boolean> => {
      const experiment = { ...experimentFor(`shrinking ${key}`, found.experiment.level, hits), kill };
      // A run in which the verdict was not sure proves nothing, and is made again.
      for (let i = 0; i < maxUndecided; i++) {
        runs++;
        const result = await this.#limiter.runFirst(() => this.#run(experiment, { isKept: true }));
        spent += result.ms;
        const isShown = result.symptoms.some((other) => isSameSymptom(other, symptom));
        if (isShown) this.#shown.keep(key, result.tenant);
        this.#letGo(result.tenant);
        if (isShown) {
          last = result;
          return true;
        }
        if (result.doubts.size === 0) break;
      }
      return false;
    };
    const { hits } = kill
      ? found
      : await shrinkHits(found.hits, async (fewer) => !(last && spent > time) && (await shows(fewer)), {
          likely: [...this.#likelyHits(symptom), symptom.hits],
          sideBySide: Math.min(this.#settings.jobs, maxSideBySide),
        });
    const shrinkRuns = runs;
    if (!kill && spent > time)
      this.#notes.push(
        `${key}: shrinking ended when its runs had taken ${Math.round(time / 1000)} s; fewer or weaker faults may show it too.`,
      );
    const shown = await countAgain(() => shows(hits));
    const seen = last ?? found;
    const finding: Finding = {
      ...describeSymptom(symptom, seen),
      // A weaker fault may show it than the one after which it was found.
      id: shown === 0 ? key : keyOf(sameSymptom(symptom, seen), kill),
      hits,
      kill,
      rules: rulesForHits(hits),
      webhooks: webhookRulesForHits(hits),
      firstRun: found.number,
      shrinkRuns,
      reproduced: { shown, of: repetitions },
      verdict: seen.verdict,
      assumptions: seen.assumptions,
    };
    if (shown === 0) return this.#doubt(finding);
    for (const other of firstOfEach(seen.symptoms)) this.#tellWith(keyOf(other, kill), finding);
    this.#findings.set(key, finding);
    if (finding.id !== key) this.#rename(key, finding);
    this.#tell(finding);
  }

  /** Gives a finding the name of the weaker fault that shows it too. */
  #rename(key: string, { id, firstRun }: Finding): void {
    this.#live.drop(key);
    this.#shown.rename(key, id);
    this.#noteFirstRun(id, firstRun);
  }

  #noteFirstRun(id: string, run: number): void {
    // A run that began sooner may end later.
    this.#firstRuns.set(id, Math.min(run, this.#firstRuns.get(id) ?? Infinity));
  }

  /** Keeps what did not show again; another run that shows it has it tried again, but not without an end. */
  #doubt(finding: Finding): void {
    const tried = [...(this.#doubtful.get(finding.id) ?? []), finding];
    this.#doubtful.set(finding.id, tried);
    if (tried.length < maxUndecided) this.#findings.delete(finding.id);
  }

  /** Tells what no repetition has shown, once for the same faults at the same endpoint. */
  #tellUnconfirmed(): void {
    const open = [...this.#doubtful].flatMap(([id, [first]]) => (first && !this.#findings.get(id) ? [first] : []));
    const known = new Set<string>();
    this.#unconfirmed = open.filter((finding) => !known.has(faultsOf(finding)) && known.add(faultsOf(finding)));
    for (const finding of open) {
      this.#coverage.takeBack(finding);
      this.#live.drop(finding.id);
    }
    for (const finding of this.#unconfirmed) this.#settings.onProgress?.({ event: 'unconfirmed', finding });
  }

  #reasonWithoutFindings(): string {
    const count = this.#unconfirmed.length;
    return count === 0 ? 'no run broke a rule' : `${counted(count, 'finding')} did not show again`;
  }

  /** Reports a finding, unless it or the same faults at the same endpoint are reported already. */
  #tell(finding: Finding): void {
    const at = this.#reported.findIndex((other) => other.id === finding.id || faultsOf(other) === faultsOf(finding));
    const known = this.#reported[at];
    if (known) {
      this.#reported[at] = { ...known, also: othersOf(known.rule, [...known.also, finding.rule]) };
      if (known.id !== finding.id) this.#live.drop(finding.id);
    } else {
      this.#reported.push(finding);
      this.#live.find({ ...wordsOf(finding.id, finding, finding.kill), shrunk: true });
      this.#settings.onProgress?.({ event: 'finding', finding });
    }
  }

  /** Returns as many faults as show it elsewhere, when the same rule is known to be broken after such a fault. */
  #likelyHits(symptom: Symptom): (readonly Hit[])[] {
    const known = [...this.#findings.values()].find(
      (finding) => finding?.rule === symptom.rule && kindOf(finding) === kindOf(symptom),
    );
    return known ? [symptom.hits.slice(0, known.hits.length)] : [];
  }

  /** Notes what the same faults break besides as reported with a finding. */
  #tellWith(key: string, finding: Finding): void {
    if (!this.#findings.has(key)) this.#findings.set(key, finding);
  }

  /** Waits until everything is shrunk. */
  async #shrunk(): Promise<void> {
    while (this.#shrinking.size > 0) await Promise.all(this.#shrinking);
  }

  /** Varies the assumptions, within the limits of the plan's runs. */
  async #vary(clean: RunResult): Promise<void> {
    const reference = this.#reference;
    const fixed = this.#client.fixedAssumptions ?? [];
    this.#variations = await varyAssumptions({
      clean,
      passed: this.#passed,
      findings: this.#reported,
      inForce: (id) => reference?.settings.assumptions[id] ?? 'default',
      isFixed: (id) => fixed.includes(id),
      onPlanned: (runs) => this.#settings.onProgress?.({ event: 'varying', runs }),
      run: (experiment, own) =>
        this.#limiter.run('vary', () => {
          if (this.#isOver()) return undefined;
          this.#planned++;
          return this.#run(experiment, { isKept: true, reference: this.#expected && own && new Reference(own) });
        }),
      closeTenant: (tenant) => this.#client.closeTenant(tenant),
    });
    if (fixed.length > 0)
      this.#notes.push(`Not varied, because the point master next to the simulator reads them: ${fixed.join(', ')}.`);
  }

  #result(status: ExplorationEnd, reason: string, requests: number): Exploration {
    this.#shown.close();
    const exploration = this.#exploration(status, reason, requests);
    this.#live.end(explorationStatus(exploration), reason);
    return exploration;
  }

  #exploration(status: ExplorationEnd, reason: string, requests: number): Exploration {
    return {
      status,
      reason,
      findings: this.#reported.map((finding) => ({
        ...finding,
        firstRun: this.#firstRuns.get(finding.id) ?? finding.firstRun,
      })),
      unconfirmed: this.#unconfirmed,
      stoppedBy: this.#stoppedBy,
      coverage: this.#coverage.summary(),
      points: this.#coverage.points(),
      basis: this.#basis,
      notes: this.#notes,
      variations: this.#variations,
      runs: this.#runs,
      requests,
      ms: monotonicNow() - this.#started,
      log: this.#log,
    };
  }
}

/** Describes a finding in words; its faults are those that show it, or those of the first run that did. */
const wordsOf = (
  id: string,
  { rule, title, endpoint, message, advice, hits }: Omit<Symptom, 'requests'>,
  kill: Kill | undefined,
) => ({
  id,
  rule,
  title,
  endpoint,
  message,
  advice,
  faults: formatFaults({ hits, kill }),
  points: [...hits.map(pointId), ...(kill ? [killId(kill)] : [])],
});

const kindOf = ({ hits }: Pick<Symptom, 'hits'>, kill?: Kill): string => {
  if (kill) return `killed ${kill.moment}`;
  const last = hits.at(-1);
  return last ? incidentOf(last.probe).kind : 'none';
};

/** Names a finding: what is wrong, with which operation, after which kind of fault. */
const keyOf = (symptom: Symptom, kill?: Kill): string =>
  `${symptom.rule} ${symptom.endpoint || symptom.title} ${kindOf(symptom, kill)}`;

function firstOfEach(symptoms: readonly Symptom[]): Symptom[] {
  const byKey = new Map<string, Symptom>();
  for (const symptom of symptoms) if (!byKey.has(keyOf(symptom))) byKey.set(keyOf(symptom), symptom);
  return [...byKey.values()];
}

/** Returns the same thing as a run shows it. */
const sameSymptom = (symptom: Symptom, { symptoms }: Pick<RunResult, 'symptoms'>): Symptom =>
  symptoms.find((other) => isSameSymptom(other, symptom)) ?? symptom;

/** Says what is wrong as the last run that showed it does, and what else that run broke. */
function describeSymptom(
  symptom: Symptom,
  { symptoms }: RunResult,
): Pick<Finding, 'rule' | 'title' | 'endpoint' | 'message' | 'advice' | 'also'> {
  const { rule, title, endpoint, advice } = symptom;
  const { message } = sameSymptom(symptom, { symptoms });
  return {
    rule,
    title,
    endpoint,
    message,
    advice,
    also: othersOf(
      rule,
      symptoms.map((other) => other.rule),
    ),
  };
}

/** Returns a finding that shows without any fault, so that nothing is shrunk and repeated. */
const faultlessFinding = (symptom: Symptom, { number, verdict, assumptions }: RunResult): Finding => ({
  ...symptom,
  id: keyOf(symptom),
  hits: [],
  rules: [],
  webhooks: [],
  firstRun: number,
  shrinkRuns: 0,
  reproduced: { shown: 0, of: 0 },
  also: [],
  verdict,
  assumptions,
});

/** Names what shows a finding: findings with one name are reported as one. */
const faultsOf = ({ endpoint, hits, kill }: Finding): string =>
  `${endpoint} ${hits.map(pointId).join()} ${kill ? killId(kill) : ''}`;

/** Returns the other rules, each once. */
const othersOf = (rule: string, rules: readonly string[]): string[] => [
  ...new Set(rules.filter((other) => other !== rule)),
];

async function countAgain(shows: () => Promise<boolean>): Promise<number> {
  let shown = 0;
  for (let i = 0; i < repetitions; i++) if (await shows()) shown++;
  return shown;
}
