/** Keeps of an earlier exploration what still holds: points that were tried, and whose requests have not changed. */
import type { Tenant } from '../core/tenant/tenant.ts';
import { scenarioOf } from '../scenario/scenario.ts';
import type { PointFate, PointStatus } from './coverage.ts';
import { killLevel } from './experiment.ts';
import { hashOf } from './trace.ts';
import type { Call } from './trace.ts';

/** Names all that an exploration rests on: by it a later one tells what has changed. */
export interface ExplorationBasis {
  /** Names the version of the simulator. */
  readonly version: string;
  /** Hashes the policy, the scenario and the settings of the tenants. */
  readonly settings: string;
  /** Lists the requests of a run without faults. */
  readonly requests: readonly BasisCall[];
}

export interface BasisCall {
  readonly id: string;
  /** Hashes what it sent and got, but for times, ids and what differs from run to run. */
  readonly fingerprint: string;
}

/** Holds all but the version, which the client does not show. */
export type LearnedBasis = Omit<ExplorationBasis, 'version'>;

/** Describes an earlier exploration, as far as a later one needs it: its result, or the JSON of it. */
export interface PastExploration {
  readonly basis: ExplorationBasis;
  readonly points: readonly PointFate[];
}

/**
 * Lists the outcomes that are not tried again while nothing has changed. Findings, and what was not sure, always are.
 */
const kept: ReadonlySet<PointStatus> = new Set(['tried', 'together', 'kept']);

const callsIn = (point: string): string[] => point.match(/\w+#\d+\.\d+/g) ?? [];

/** Matches a fault that lasts, which is about all requests to its endpoint. */
const lastingPoint = /^(\w+) (?:for good|\d+ ×)\//;

export class Past {
  readonly #fates: ReadonlyMap<string, PointFate>;
  readonly #unchanged: ReadonlySet<string>;
  readonly #isWhole: boolean;
  readonly #now: ExplorationBasis;
  /** Names what is tried again because something that was found from it is. */
  readonly #reopened: ReadonlySet<string>;
  /** Says why nothing of it holds any more, if so. */
  readonly changed: string | undefined;

  constructor({ basis, points }: PastExploration, now: ExplorationBasis) {
    this.#fates = new Map(points.map((fate) => [fate.id, fate]));
    this.#now = now;
    const then = new Map(basis.requests.map(({ id, fingerprint }) => [id, fingerprint]));
    const same = now.requests.filter(({ id, fingerprint }) => then.get(id) === fingerprint);
    this.#unchanged = new Set(same.map(({ id }) => id));
    this.#isWhole = same.length === now.requests.length && then.size === now.requests.length;
    const open = points.filter((fate) => fate.level > 1 && !this.#holds(fate));
    this.#reopened = new Set(open.map(({ id }) => originOf(id)));
    this.changed =
      basis.version !== now.version
        ? `by version ${basis.version} of the simulator`
        : basis.settings !== now.settings
          ? 'with another policy, scenario or other settings'
          : undefined;
  }

  /** Returns what has become of a point, if that still holds. */
  fateOf(id: string): PointFate | undefined {
    const fate = this.#fates.get(id);
    if (!fate || !this.#holds(fate)) return undefined;
    const leads = fate.level === 1 ? id : lastingPoint.test(id) ? originOf(id) : undefined;
    return leads !== undefined && this.#reopened.has(leads) ? undefined : fate;
  }

  #holds = (fate: PointFate): boolean => kept.has(fate.status) && this.#isUnchanged(fate);

  /** Lists the points from level 2 on of which that still holds: those are known only from what runs have shown. */
  fatesBeyondSingle(): PointFate[] {
    return [...this.#fates.values()].filter(({ id, level }) => level > 1 && this.fateOf(id) !== undefined);
  }

  /** Returns in how many attempts the client got over this fault, if that is known. */
  attemptsAt(id: string): number | undefined {
    return this.fateOf(id)?.attempts;
  }

  #isUnchanged({ id, level }: PointFate): boolean {
    const lasting = lastingPoint.exec(id)?.[1];
    if (lasting !== undefined)
      return this.#now.requests.every((call) => !call.id.startsWith(`${lasting}#`) || this.#unchanged.has(call.id));
    // What is on disk after a kill shows in no request.
    if (level === killLevel) return false;
    // An outage hits whatever comes.
    if (level === 3) return this.#isWhole;
    const [first] = callsIn(id);
    return first !== undefined && this.#unchanged.has(first);
  }
}

/** Returns that by which a point beyond single faults was found: its first fault, or its endpoint and fault if that lasts. */
const originOf = (id: string): string => {
  const [first = ''] = id.split(' then ');
  return first.replace(/ (?:for good|\d+ ×)\//, '/');
};

/** Returns what an exploration rests on, from two runs without faults. */
export const basisOf = (tenant: Tenant, first: readonly Call[], second: readonly Call[]): LearnedBasis => ({
  settings: settingsHash(tenant),
  requests: fingerprints(first, second),
});

/** Hashes what a tenant holds the client to, and how it serves it. */
function settingsHash(tenant: Tenant): string {
  // Every setting but those that differ from run to run, or say nothing of how requests are served.
  const { webhook: _webhook, pointMasterUrl: _url, journalBytes: _bytes, ...settings } = tenant.settings;
  const { policy, spec } = scenarioOf(tenant);
  const { rules: _, ...scenario } = spec;
  return hashOf(JSON.stringify([settings, policy, scenario]));
}

/** Returns the fingerprints of the requests; where two runs differ, only the form of a request counts. */
function fingerprints(first: readonly Call[], second: readonly Call[]): BasisCall[] {
  const others = new Map(second.map((call) => [call.id, call]));
  return first.map((call) => {
    const other = others.get(call.id);
    const texts = textsOf(call);
    const isSame = other !== undefined && textsOf(other).join('\n') === texts.join('\n');
    return { id: call.id, fingerprint: hashOf(isSame ? texts.join('\n') : texts.map(formOf).join('\n')) };
  });
}

const changing = /\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:?\d\d)?|[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/gi;

/** Returns what a request sent and got, without times and ids. */
function textsOf({ endpoint, exchange: { path, query, request, response, status } }: Call): string[] {
  return [`${endpoint} ${path}${query} ${status}`, request.body ?? '', response?.body ?? ''].map((text) =>
    text.replaceAll(changing, ''),
  );
}

/** Keeps the names of a JSON text, and of any other text nothing but letters. */
const formOf = (text: string): string => text.match(/"[^"\\]*"(?=\s*:)/g)?.join() ?? text.replaceAll(/[^a-z]/gi, '');
