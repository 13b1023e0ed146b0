/** Lets test code explore a client: it is run again and again, each time with other faults. */
import { parseLength } from '../core/lib/duration.ts';
import { rejectRenamedMembers } from '../core/lib/renamed-names.ts';
import { InputError } from '../core/lib/input-error.ts';
import type { Tenant } from '../core/tenant/tenant.ts';
import type { TenantRegistry } from '../core/tenant/registry.ts';
import type { TenantSetup } from '../admin/input/tenant-setup.ts';
import { startTimer } from '../core/time/clock.ts';
import type { Listening } from '../http/transport/http-server.ts';
import type { Exploration, ExploreProgress } from '../explore/explore.ts';
import type { PastExploration } from '../explore/past.ts';
import type { ClientEnd } from '../explore/run.ts';
import { packageVersion } from '../package/package-info.ts';
import { checkArgument, checkOptions, kinds } from '../core/lib/argument-checks.ts';
import type { PublishedExploration } from './published-exploration.ts';
import type { SimTenant } from './tenant-handle.ts';

export interface ExploreOptions {
  /** Goes up to this level: 1 single faults, 2 lasting ones, 3 outages, 4 second faults, 5 webhooks (default: 4). */
  readonly level?: number;
  /** Sets the time after which no further run is begun: a duration such as `60s`, or a number of ms (default: none). */
  readonly budget?: string | number;
  /**
   * Limits the number of runs that try something; those without faults, and those that shrink and repeat what was
   * found, come on top (default: none).
   */
  readonly maxRuns?: number;
  /** Sets the number of runs side by side (default: 16). */
  readonly jobs?: number;
  /** Limits the time that a run may take (default: 60s). */
  readonly timeout?: string | number;
  /** Tries every fault at every request by itself, also where another run stands for it (default: false). */
  readonly exhaustive?: boolean;
  /** Serves each run on a port of its own, once the simulator is served; without it, below a path of its one address (default: true). */
  readonly portPerRun?: boolean;
  /** Runs what was found, and what passed, under every variant of the assumptions that it rests on (default: false). */
  readonly vary?: boolean;
  /** Holds the result of an earlier exploration, or the JSON of it: what has not changed since is not tried again. */
  readonly since?: PastExploration;
  /** Is called after each run, and with each finding. */
  readonly onProgress?: (progress: ExploreProgress) => void;
}

/** Runs the code under test once, against this tenant; the promise that it returns is its end. */
export type ExploredFunction = (tenant: SimTenant, run: { readonly number: number }) => unknown;

export type SimExplore = (client: ExploredFunction, options?: ExploreOptions) => Promise<Exploration>;

interface ExploreServices {
  readonly tenants: TenantRegistry;
  readonly tenant: (name?: string) => SimTenant;
  readonly createTenant: (name: string, setup: TenantSetup) => Tenant;
  readonly hasPointMaster: boolean;
  readonly exploration: PublishedExploration;
  /** Serves a tenant on a port of its own; undefined while the simulator is not served at all. */
  readonly listenFor: (tenant: string) => Promise<Listening> | undefined;
}

/** Describes a tenant as a run gets it. */
interface OpenRun {
  readonly handle: SimTenant;
  readonly listening: Listening | undefined;
}

const { any, flag, callback } = kinds;

const exploreOptions = {
  level: any,
  budget: any,
  maxRuns: any,
  jobs: any,
  timeout: any,
  exhaustive: flag,
  portPerRun: flag,
  vary: flag,
  since: any,
  onProgress: callback,
};

export const createSimExplore =
  ({
    tenants,
    tenant: openTenant,
    createTenant,
    hasPointMaster,
    exploration,
    listenFor,
  }: ExploreServices): SimExplore =>
  async (client, options = {}) => {
    checkArgument('explore', client, kinds.callback);
    checkOptions('explore', options, exploreOptions);
    const settings = settingsFrom(options);
    // Imported here, so that no start waits for the judge.
    const { explore } = await import('../explore/explore.ts');
    const { portPerRun = true } = options;
    const runs = new Map<Tenant, OpenRun>();
    const explored = explore(
      {
        openTenant: async (_, assumptions) => {
          const handle = openTenant();
          const tenant = assumptions ? createTenant(handle.name, { assumptions }) : tenants.getOrCreate(handle.name);
          // Runs of one process share its connections to an address, which would hide how many each of them opens.
          const listening = portPerRun ? await listenFor(handle.name) : undefined;
          runs.set(tenant, { handle: listening ? withUrl(handle, listening.url) : handle, listening });
          return tenant;
        },
        closeTenant: (tenant) => {
          const run = runs.get(tenant);
          run?.handle.close();
          void run?.listening?.close();
          runs.delete(tenant);
        },
        run: (tenant, number, stop) => {
          const run = runs.get(tenant);
          if (!run) throw new Error('the tenant of a run was closed');
          return endOf(async () => client(run.handle, { number }), settings.timeout, stop);
        },
        fixedAssumptions: hasPointMaster ? pointMasterAssumptions : undefined,
      },
      { ...settings, onBegin: (live) => exploration.show(live) },
    );
    // Those of which something is still shown are open.
    return explored.finally(() => Promise.all([...runs.values()].map(({ listening }) => listening?.close())));
  };

/** Returns the handle of a tenant that is served at another address. */
const withUrl = (handle: SimTenant, url: string): SimTenant => rejectRenamedMembers('tenant', { ...handle, url });

/** Names the assumptions that the point master next to a simulator was started with. */
export const pointMasterAssumptions: readonly string[] = ['A-48', 'A-49'];

function settingsFrom({
  level = 4,
  budget,
  maxRuns,
  jobs = 16,
  timeout = '60s',
  exhaustive,
  vary,
  since,
  onProgress,
}: ExploreOptions) {
  if (!Number.isInteger(level) || level < 1 || level > 5)
    throw new InputError(`explore: level must be 1, 2, 3, 4 or 5, not ${String(level)}`);
  if (!Number.isInteger(jobs) || jobs < 1)
    throw new InputError(`explore: jobs must be a whole number from 1, not ${String(jobs)}`);
  if (maxRuns !== undefined && (!Number.isInteger(maxRuns) || maxRuns < 1))
    throw new InputError(`explore: maxRuns must be a whole number from 1, not ${String(maxRuns)}`);
  return {
    levels: level,
    budget: budget === undefined ? undefined : lengthOf('budget', budget),
    maxRuns,
    jobs,
    timeout: lengthOf('timeout', timeout),
    isExhaustive: exhaustive,
    vary,
    since,
    version: packageVersion(),
    onProgress,
  };
}

function lengthOf(name: string, given: string | number): number {
  if (typeof given === 'number' && given > 0) return given;
  const length = typeof given === 'string' ? parseLength(given) : undefined;
  if (length !== undefined) return length;
  throw new InputError(`explore: ${name} must be a length of time such as 60s or 2m, not ${JSON.stringify(given)}`);
}

/** Runs the client's function; resolves to how it ended, or that it had not ended in time. */
function endOf(client: () => Promise<unknown>, timeout: number, stop: AbortSignal): Promise<ClientEnd> {
  return new Promise((resolve) => {
    stop.addEventListener('abort', () => resolve({ isTimedOut: true }), { once: true });
    const cancel = startTimer(timeout, () => resolve({ isTimedOut: true }));
    void client()
      .then(() => ({}), failureOf)
      .then((end) => {
        cancel();
        resolve(end);
      });
  });
}

const failureOf = (error: unknown): ClientEnd => ({ failure: error instanceof Error ? error.message : String(error) });
