/** Plans what is to go wrong: single faults, lasting ones, outages, and second faults where a first has led. */
import { maxOf } from '../core/lib/collections.ts';
import type { Coverage, PointStatus } from './coverage.ts';
import { experimentFor, hitOf, killId, killLevel, planned, pointId, webhookLevel } from './experiment.ts';
import type { Experiment, Hit } from './experiment.ts';
import { killsFor } from './kills.ts';
import { probeOf, probes, schedules, standInFor } from './probes.ts';
import type { Probe } from './probes.ts';
import type { RunResult } from './run.ts';
import type { Past } from './past.ts';
import type { WebhookPlace } from './webhook-runs.ts';
import { callId } from './trace.ts';
import type { Call } from './trace.ts';

/** Runs an experiment of a line, of which there are several that take turns; resolves to nothing when the time was up. */
type Play = (line: string, experiment: Experiment) => Promise<RunResult | undefined>;

interface PlanOptions {
  readonly levels: number;
  /** True to try every point, also those that another stands for. */
  readonly isExhaustive: boolean;
  /** True to try each point in a run of its own. */
  readonly isAlone: boolean;
  /** True to kill the client too, at every call. */
  readonly kills: boolean;
  /** Holds how often the client tries, if it declares that. */
  readonly maxAttempts: number | undefined;
  readonly coverage: Coverage;
  /** Holds an earlier exploration of which something still holds. */
  readonly past?: Past | undefined;
  /** Is called with a remark about what was kept of it. */
  readonly onNote?: ((note: string) => void) | undefined;
  /** Holds the webhooks that were delivered without faults (default: none). */
  readonly webhooks?: readonly WebhookPlace[] | undefined;
}

/** True for kinds after which a client goes on with what it does, so that many of them can be tried in one run. */
const isPassing = ({ kind }: Probe): boolean => kind !== 'rejected' && kind !== 'hang';

/** A client that tries more often than this is taken to deliver what it has kept for later. */
const maxGuessed = 5;

/** Limits the faults of one run: the client pauses after each of them. */
const maxTogether = 15;

/** Limits those that ask for a pause of a second. */
const maxThrottled = 5;

/** Splits a list so that neighbours come into different parts. */
function inParts<Item>(list: readonly Item[], size: number): Item[][] {
  const count = Math.ceil(list.length / size);
  return Array.from({ length: count }, (_, part) => list.filter((_item, i) => i % count === part));
}

/** Puts the first faults of all endpoints before the second ones. */
function inTurns(hits: readonly Hit[]): Hit[] {
  const counts = new Map<string, number>();
  const turns = hits.map((hit) => {
    const turn = (counts.get(hit.endpoint) ?? 0) + 1;
    counts.set(hit.endpoint, turn);
    return { hit, turn };
  });
  return turns.toSorted((a, b) => a.turn - b.turn).map(({ hit }) => hit);
}

/** Lists the faults that are tried at each call by themselves, besides together with others. */
const strongest: readonly string[] = ['lost-after', '504'];

/** Lists the faults after which a client may go on without a response, and without a further attempt. */
const givenUp: readonly string[] = ['503', '429'];

/** Names the line of faults that last. */
const lastingLine = 'level 2';

/** Lists the faults that last, for all calls and for writes alone. */
const lasting = ['504'] as const;
const lastingForWrites = ['lost-after'] as const;

/** Returns how many requests have to fail until what was kept for later fails once more when it is delivered. */
const untilDelivery = (maxAttempts: number): number => 3 * maxAttempts + 1;

interface NamedExperiment extends Experiment {
  /** Names the line that it waits in (default: that of its level). */
  readonly line?: string;
  /** True for a fault that is not over when the run is. */
  readonly isForGood?: boolean;
}

interface LastingFault {
  readonly probe: string;
  /** Counts the requests that it hits; undefined when it lasts for good. */
  readonly times: number | undefined;
  readonly play: Play;
  /** Names the line that it waits in (default: that of its level). */
  readonly line?: string;
}

/** True for a point that another stands for, or an earlier exploration. */
const isSettledOtherwise = (status: PointStatus | undefined): boolean => status === 'equivalent' || status === 'kept';

/** Returns the reads between a write that was hit and what follows it: the same write once more, or another one. */
function looksAfter(hit: Hit, calls: readonly Call[]): readonly Call[] {
  const at = calls.findIndex(({ id }) => id === callId(hit));
  if (at < 0 || calls[at]?.retry === 'safe') return [];
  const rest = calls.slice(at + 1);
  const next = rest.findIndex(({ retry }) => retry !== 'safe');
  return next < 0 ? rest : rest.slice(0, next);
}

/** Returns a run in which the first attempts of everything at these endpoints fail. */
function lastingAt(calls: readonly Call[], attempts: number, what: 'request' | 'write'): Experiment {
  const [probe] = lasting;
  const attempt = Array.from({ length: attempts }, (_, i) => i + 1);
  return {
    title: `${probe} at the first ${attempts} attempts of every ${what}`,
    level: 2,
    rules: calls.map(({ endpoint }) =>
      planned(`${endpoint} attempts 1 to ${attempts}/${probe}`, probe, { match: { endpoint }, attempt }),
    ),
  };
}

export class Plan {
  readonly #calls: readonly Call[];
  readonly #options: PlanOptions;
  /** Holds the first call to each endpoint, writes first. */
  readonly #firsts = new Map<string, Call>();
  /** Holds the first call of the second operation at each endpoint: only from there on can a client take what it kept of the one before. */
  readonly #seconds = new Map<string, Call>();
  readonly #known: ReadonlyMap<string, Call>;
  readonly #single: RunResult[] = [];
  /** Holds the ids of the lasting faults that were planned. */
  readonly #lastingPlayed = new Set<string>();
  /** Names the second faults that were planned, alike where they have alike ones before them. */
  readonly #secondsPlanned = new Set<string>();

  constructor(calls: readonly Call[], options: PlanOptions) {
    // Writes come first: what is lost or doubled is one of them.
    this.#calls = [...calls.filter(({ retry }) => retry !== 'safe'), ...calls.filter(({ retry }) => retry === 'safe')];
    for (const call of this.#calls) {
      if (!this.#firsts.has(call.endpoint)) this.#firsts.set(call.endpoint, call);
      if (call.operation === 2 && !this.#seconds.has(call.endpoint)) this.#seconds.set(call.endpoint, call);
    }
    this.#known = new Map(calls.map((call) => [call.id, call]));
    this.#options = options;
    this.#addPoints();
  }

  /** Plays the plan to its end, or until the time is up. */
  async play(play: Play): Promise<void> {
    const { levels, isAlone, past } = this.#options;
    if (past) await this.#keep(past, play);
    // Where each point has a run of its own, these are among all.
    const playSome = (line: string, isWanted: (hit: Hit) => boolean): Promise<void> | undefined =>
      isAlone ? undefined : this.#playAlone(line, isWanted, play);
    const [most, ...others] = probes.filter(isPassing);
    // Those that find most come first; the lines take turns in this order.
    await Promise.all([
      isAlone
        ? this.#playAlone('single', () => true, play).then(() => this.#playOpen(play))
        : this.#playTogether([most], play),
      levels >= 2 ? this.#playLasting(play) : undefined,
      levels >= 3 ? this.#playOutages(play) : undefined,
      levels >= 2 ? this.#playBacklogs(play) : undefined,
      playSome('rejected', ({ probe }) => probeOf(probe).kind === 'rejected'),
      playSome('rejected', this.#isGivenUpLater),
      playSome('hang', ({ probe }) => probeOf(probe).kind === 'hang'),
      isAlone ? undefined : this.#playTogether(others, play),
      playSome('strong', this.#isStrong),
      levels >= webhookLevel ? this.#playWebhooks(play) : undefined,
      this.#options.kills ? this.#playKills(play) : undefined,
    ]);
    if (isAlone) return;
    await this.#playOpen(play);
    await this.#playSecond(this.#single, play);
  }

  /** Tries what was not met together with others, or not decided. */
  #playOpen(play: Play): Promise<void> {
    return this.#playAlone('rest', (hit) => this.#isOpen(hit) || this.#statusOf(hit) === 'undecided', play);
  }

  /** Lists every call with every fault, and says which points others stand for. */
  #addPoints(): void {
    const { coverage, isExhaustive } = this.#options;
    for (const call of this.#calls) {
      for (const probe of probes) {
        const point = pointId(hitOf(call, probe));
        const stand = standInFor(probe, call.retry);
        const witness = this.#witnessOf(call, stand);
        if (isExhaustive || (witness === call && stand === probe)) coverage.add(point, 1);
        else
          coverage.addEquivalent(point, 1, {
            witness: pointId(hitOf(witness, stand)),
            reason:
              witness === call
                ? `the client cannot tell it from ${stand.id}`
                : `${witness.id} is the same kind of request, and this fault ends its work alike`,
          });
      }
    }
  }

  /** Returns the request that stands for this one: of a fault that ends what the client does, one or two of each endpoint do. */
  #witnessOf(call: Call, probe: Probe): Call {
    const { endpoint, operation } = call;
    if (isPassing(probe)) return call;
    const first = this.#firsts.get(endpoint) ?? call;
    return probe.kind === 'rejected' && operation > 1 ? (this.#seconds.get(endpoint) ?? first) : first;
  }

  #statusOf = (hit: Hit): PointStatus | undefined => this.#options.coverage.statusOf(pointId(hit));

  #isOpen = (hit: Hit): boolean => this.#statusOf(hit) === 'not-tried';

  /**
   * Keeps what an earlier exploration has tried, if the client still takes each fault as it did then: that is tried at
   * some requests of each kind.
   */
  async #keep(past: Past, play: Play): Promise<void> {
    const { coverage, levels, onNote } = this.#options;
    const samples = probes.filter(isPassing).flatMap((probe) => this.#batchesOf(probe).slice(0, 1));
    await Promise.all(samples.map((part) => this.#playBatch(part, play)));
    const other = samples.flat().flatMap((hit) => this.#changeAt(pointId(hit), past));
    if (other.length > 0) return onNote?.(`Nothing is kept of the last exploration: ${other[0]}.`);
    const before = coverage.remaining;
    for (const { id, level } of past.fatesBeyondSingle()) if (level <= levels) coverage.add(id, level);
    const open = coverage.open();
    for (const id of open) {
      const attempts = past.attemptsAt(id);
      if (past.fateOf(id)) coverage.settle(id, { status: 'kept', ...(attempts !== undefined && { attempts }) });
    }
    const count = open.length - coverage.remaining;
    onNote?.(
      count === 0
        ? `Nothing of the last exploration can be kept: all ${before} points are tried.`
        : `${count} points are not tried again: the last exploration did, and their requests, the policy and the version are the same.`,
    );
  }

  /** Says what is not as it was when this point was tried before, if anything. */
  #changeAt(id: string, past: Past): string[] {
    const [now, then] = [this.#options.coverage.fateOf(id), past.fateOf(id)];
    if (!now || !then) return [];
    if (now.status === 'found') return [`${id} shows ${now.reason}, which it did not then`];
    if (now.attempts === undefined || then.attempts === undefined || now.attempts === then.attempts) return [];
    return [`after ${id} the client makes ${now.attempts} attempts, and made ${then.attempts} then`];
  }

  /** Returns a fault at all calls, in parts that can be tried at once: a fault at one attempt moves those that follow. */
  #batchesOf(probe: Probe): Hit[][] {
    const hits = this.#calls.map((call) => hitOf(call, probe)).filter(this.#isOpen);
    const attempts = [...new Set(hits.map(({ attempt }) => attempt))].toSorted((a, b) => a - b);
    return attempts.flatMap((attempt) =>
      inParts(
        hits.filter((hit) => hit.attempt === attempt),
        probe.kind === 'throttled' ? maxThrottled : maxTogether,
      ),
    );
  }

  /** Tries each of these faults at all calls at once. */
  async #playTogether(some: readonly (Probe | undefined)[], play: Play): Promise<void> {
    const batches = some.flatMap((probe) => (probe ? this.#batchesOf(probe) : []));
    await Promise.all(batches.map((part) => this.#playBatch(part, play)));
  }

  /** Tries faults in one run, and those that were not met in further ones. */
  async #playBatch(hits: readonly Hit[], play: Play): Promise<void> {
    const [first] = hits;
    if (!first) return;
    const title = hits.length === 1 ? pointId(first) : `${first.probe} at ${hits.length} requests`;
    const result = await play(`together ${first.probe}`, experimentFor(title, 1, hits));
    if (!result) return;
    const unmet = hits.filter(this.#isOpen);
    if (unmet.length === 0) return;
    if (hits.length === 1) this.#options.coverage.settle(pointId(first), { status: 'unreachable', run: result.number });
    else if (unmet.length < hits.length) await this.#playBatch(unmet, play);
    else {
      const half = Math.ceil(hits.length / 2);
      await Promise.all([this.#playBatch(hits.slice(0, half), play), this.#playBatch(hits.slice(half), play)]);
    }
  }

  /** Tries a fault that lasts: for two requests, for as many as the client tries, and for good. */
  async #playLasting(play: Play): Promise<void> {
    // For a start all at once: what this shows is shrunk to where it shows.
    const limit = this.#options.maxAttempts ?? maxGuessed;
    const calls = [...this.#firsts.values()];
    const writes = calls.filter(({ retry }) => retry !== 'safe');
    await Promise.all([
      ...[...new Set([limit, 2])].map((attempts) => play(lastingLine, lastingAt(calls, attempts, 'request'))),
      // While reads come through, much waits to be delivered.
      writes.length > 1 && writes.length < calls.length && play(lastingLine, lastingAt(writes, limit, 'write')),
    ]);
    await Promise.all(
      [...this.#firsts.values()].flatMap((call) =>
        (call.retry === 'safe' ? lasting : [...lasting, ...lastingForWrites]).map((probe) =>
          this.#playLastingAt(call, probe, play),
        ),
      ),
    );
  }

  /** Lets a fault last at an endpoint for good, and then for as many requests as the client was seen to try. */
  async #playLastingAt({ endpoint, retry }: Call, probe: string, play: Play): Promise<void> {
    const tried = await this.#playLastingFault(endpoint, { probe, times: undefined, play });
    const met = Math.max(
      1,
      maxOf(tried?.hits ?? [], ({ attempt }) => attempt),
    );
    const attempts = Math.min(met, this.#options.maxAttempts ?? maxGuessed);
    const long = untilDelivery(attempts);
    const counts = retry === 'safe' ? [attempts] : probe === '504' ? [2, attempts, long] : [2, attempts];
    const lengths = new Set(counts.filter((count) => count > 1));
    await Promise.all([...lengths].map((times) => this.#playLastingFault(endpoint, { probe, times, play })));
  }

  /** Lets writes of which there are several fail until the first of them is delivered: what waits has an order then. */
  async #playBacklogs(play: Play): Promise<void> {
    const counts = new Map<string, number>();
    for (const { endpoint, retry, operation } of this.#calls)
      if (retry !== 'safe' && operation > 1) counts.set(endpoint, operation);
    const times = untilDelivery(this.#options.maxAttempts ?? maxGuessed);
    const most = [...counts].toSorted(([, a], [, b]) => b - a);
    await Promise.all(
      most.map(([endpoint]) => this.#playLastingFault(endpoint, { probe: '504', times, play, line: 'backlog' })),
    );
  }

  async #playLastingFault(
    endpoint: string,
    { probe, times, play, line }: LastingFault,
  ): Promise<RunResult | undefined> {
    const id = `${endpoint} ${times === undefined ? 'for good' : `${times} ×`}/${probe}`;
    if (this.#lastingPlayed.has(id)) return undefined;
    this.#lastingPlayed.add(id);
    this.#options.coverage.add(id, 2);
    const fields = { match: { endpoint }, ...(times !== undefined && { times }) };
    const title = `${probe} at ${endpoint}, ${times === undefined ? 'for good' : `${times} times`}`;
    const isForGood = times === undefined;
    const rules = [planned(id, probe, fields)];
    return this.#playNamed(id, { title, level: 2, rules, isForGood, ...(line !== undefined && { line }) }, play);
  }

  async #playNamed(
    id: string,
    { isForGood = false, line, ...experiment }: NamedExperiment,
    play: Play,
  ): Promise<RunResult | undefined> {
    if (this.#options.coverage.statusOf(id) === 'kept') return undefined;
    const result = await play(line ?? `level ${experiment.level}`, experiment);
    if (!result) return undefined;
    const { number: run, hits, isKilled, symptoms, doubts } = result;
    // While a fault lasts for good, nobody knows what the client would have done after it.
    const [doubt] = isForGood ? [] : doubts.values();
    const [symptom] = symptoms;
    const { coverage } = this.#options;
    if (hits.length === 0 && !isKilled) coverage.settle(id, { status: 'unreachable', run });
    else if (symptom)
      coverage.settle(id, {
        status: 'found',
        run,
        reason: `${symptom.rule} ${symptom.endpoint}`,
        broken: [...new Set(symptoms.map(({ rule, endpoint }) => `${rule} ${endpoint}`))],
      });
    else
      coverage.settle(id, doubt === undefined ? { status: 'tried', run } : { status: 'undecided', run, reason: doubt });
    return result;
  }

  /** Tries outages of everything, each from another request on. */
  async #playOutages(play: Play): Promise<void> {
    const length = 2 * (this.#options.maxAttempts ?? maxGuessed) + 1;
    await Promise.all(
      [...this.#firsts.values()].flatMap(({ id: call, exchange: { number } }) =>
        ['504', 'lost-after'].map((probe) => {
          const id = `outage of ${length} from ${call}/${probe}`;
          this.#options.coverage.add(id, 3);
          const rules = [planned(id, probe, { ...(number > 1 && { skip: number - 1 }), times: length })];
          return this.#playNamed(
            id,
            { title: `${probe} for ${length} requests from ${call} on`, level: 3, rules },
            play,
          );
        }),
      ),
    );
  }

  /** Delivers every webhook twice, late, after the next one, and again after it was lost. */
  async #playWebhooks(play: Play): Promise<void> {
    const { webhooks = [] } = this.#options;
    const hits = schedules.flatMap((schedule) => webhooks.map((place) => hitOf(place, schedule)));
    await Promise.all(
      hits.map((hit) => {
        const id = pointId(hit);
        this.#options.coverage.add(id, webhookLevel);
        return this.#playNamed(id, experimentFor(id, webhookLevel, [hit]), play);
      }),
    );
  }

  /** Kills the client at every call, and has it started again. */
  async #playKills(play: Play): Promise<void> {
    await Promise.all(
      killsFor(this.#calls).map((kill) => {
        const id = killId(kill);
        this.#options.coverage.add(id, killLevel);
        return this.#playNamed(id, { title: id, level: killLevel, rules: [], kill }, play);
      }),
    );
  }

  /** Tries faults one by one: each endpoint once, then the others. Where these are all, second faults follow at once. */
  async #playAlone(line: string, isWanted: (hit: Hit) => boolean, play: Play): Promise<void> {
    const { coverage, isAlone } = this.#options;
    const hits = probes.flatMap((probe) => this.#calls.map((call) => hitOf(call, probe)));
    const wanted = hits.filter((hit) => !isSettledOtherwise(this.#statusOf(hit)) && isWanted(hit));
    let before: Promise<unknown> = Promise.resolve();
    const seconds: Promise<void>[] = [];
    await Promise.all(
      inTurns(wanted).map((hit) => {
        const played = play(line, experimentFor(pointId(hit), 1, [hit]));
        // In the order of the plan, whichever ends first, so that the same second faults follow each time.
        before = Promise.all([before, played]).then(([, result]) => {
          if (!result) return;
          if (result.hits.length === 0) coverage.settle(pointId(hit), { status: 'unreachable', run: result.number });
          this.#single.push(result);
          if (isAlone) seconds.push(this.#playSecond([result], play));
        });
        return before;
      }),
    );
    await Promise.all(seconds);
  }

  #isStrong = (hit: Hit): boolean => {
    const call = this.#known.get(callId(hit));
    // Of reads, one of each endpoint; of writes, all.
    return call !== undefined && strongest.includes(hit.probe) && (call.retry !== 'safe' || call.operation === 1);
  };

  /** True for a fault after which a client may go on without a response, at the second operation of its endpoint. */
  #isGivenUpLater = (hit: Hit): boolean =>
    givenUp.includes(hit.probe) && this.#seconds.get(hit.endpoint)?.id === callId(hit);

  /** Tries a second fault at requests that appear only after a first one of these: looks, repeats, deliveries. */
  async #playSecond(single: readonly RunResult[], play: Play): Promise<void> {
    if (this.#options.levels < 4) return;
    const pairs = single.flatMap((result) => {
      const [first] = result.hits;
      if (!first || !isPassing(probeOf(first.probe))) return [];
      return result.calls
        .filter(({ id }) => !this.#known.has(id))
        .flatMap((call) =>
          ['504', 'lost-after'].map((probe) => [first, hitOf(call, standInFor(probeOf(probe), call.retry))] as const),
        )
        .filter(([, second]) => {
          const isRepeat = second.endpoint === first.endpoint && second.operation === first.operation;
          const name = `${first.endpoint}/${first.probe} ${second.endpoint}/${second.probe} ${isRepeat}`;
          return this.#isNewSecond(name);
        });
    });
    await Promise.all(
      [...pairs, ...this.#failingLooks(single)].map((hits) => {
        const id = hits.map(pointId).join(' then ');
        this.#options.coverage.add(id, 4);
        return this.#playNamed(id, experimentFor(id, 4, hits), play);
      }),
    );
  }

  #isNewSecond(name: string): boolean {
    const isNew = !this.#secondsPlanned.has(name);
    this.#secondsPlanned.add(name);
    return isNew;
  }

  /** Returns faults at writes with reads after them that fail as often as the client tries: it can't know then whether to repeat. */
  #failingLooks(single: readonly RunResult[]): (readonly Hit[])[] {
    const count = this.#options.maxAttempts ?? maxGuessed;
    return single.flatMap(({ hits: [first], calls }) => {
      if (!first || !isPassing(probeOf(first.probe))) return [];
      return looksAfter(first, calls).flatMap((look) => {
        if (!this.#isNewSecond(`${first.endpoint} ${look.endpoint}`)) return [];
        const attempts = Array.from({ length: count }, (_, i) => look.attempt + i);
        return [[first, ...attempts.map((attempt) => hitOf({ ...look, attempt }, '504'))]];
      });
    });
  }
}
