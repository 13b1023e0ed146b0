import type { Hono } from 'hono';
import type { PointMaster } from '../point-master/point-master.ts';
import type { Tenant } from '../core/tenant/tenant.ts';
import type { TenantRegistry } from '../core/tenant/registry.ts';
import type { TenantSetup } from '../admin/input/tenant-setup.ts';
import type { LiveExploration } from '../explore/live/live-exploration.ts';
import type { Env } from '../http/context.ts';
import type { Listening } from '../http/transport/http-server.ts';
import type { ScenarioSpec } from '../scenario/scenario-schema.ts';
import type { SimFaults } from './runtime-faults.ts';
import type { ScenarioReload } from './scenario-reload.ts';
import type { SimClock } from './sim-clock.ts';
import type { SimExplore } from './sim-explore.ts';
import type { SimVerdict } from './sim-verdict.ts';
import type { SimFetch, SimTenant } from './tenant-handle.ts';

/** Holds tenants, and serves them in process and on a port. */
export interface Sim {
  readonly tenants: TenantRegistry;
  /** Handles a request in process, exactly as over a socket: `await sim.fetch('/api/v3/contacts/count')`. */
  readonly fetch: SimFetch;
  /** Returns a tenant for one test, with this name or a free one: `await using shop = sim.tenant()`. */
  readonly tenant: (name?: string) => SimTenant;
  /** Creates a tenant that is set up in another way than the sim, in the place of the one of this name if there is one. */
  readonly createTenant: (name: string, setup: TenantSetup) => Tenant;
  /** Controls the clock of the tenant `default`. */
  readonly clock: SimClock;
  /** Resets the tenant `default` to its start: all of it, or these parts. */
  readonly reset: SimTenant['reset'];
  readonly app: Hono<Env>;
  /** Adds and clears faults while the sim runs. */
  readonly faults: SimFaults;
  /**
   * Judges a tenant by its scenario, and how its client retried; or by these expectations alone:
   * `await sim.verdict({ tenant: 'suite-1', expectations: [{ request: { endpoint: 'createReceipt' }, exactly: 1 }] })`.
   */
  readonly verdict: SimVerdict;
  /**
   * Finds by itself where a client breaks: runs it again and again, each time in a tenant of its own with other faults,
   * and judges it: `await sim.explore(async (tenant) => sell(tenant.fetch))`.
   */
  readonly explore: SimExplore;
  /** Shows an exploration that runs on this sim in the control API; `explore` does so by itself. */
  readonly showExploration: (live: LiveExploration) => void;
  /**
   * Replaces the scenario by another version, for all tenants that follow it: unchanged rules keep their counters.
   * Tenants are recreated when their set-up changes, but not where `data` keeps their state.
   */
  readonly replaceScenario: (spec: ScenarioSpec) => ScenarioReload;
  /** Serves on a port as well (default: any free one). Throws `ListenError` when it can't. */
  readonly listen: (options?: { readonly port?: number }) => Promise<Listening>;
  /** Serves one tenant on a port of its own, for a client that takes no path in its base URL. */
  readonly listenFor: (tenant: string) => Promise<Listening>;
  /** Holds the base URL, once the sim is served. */
  readonly url: string | undefined;
  /** Holds the address of the import folder by SFTP and by FTP, once the sim is served. */
  readonly sftpUrl: string | undefined;
  readonly ftpUrl: string | undefined;
  /** Holds its point master, with `withPointMaster`. */
  readonly pointMaster: PointMaster | undefined;
  /** Ends connections and timers, and writes pending state. */
  readonly close: () => Promise<void>;
  /** Closes it at the end of a block: `await using sim = await createSim()`. */
  readonly [Symbol.asyncDispose]: () => Promise<void>;
}
