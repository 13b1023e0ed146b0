import type { Hono } from 'hono';
import type { PointMaster } from '../point-master/point-master.ts';
import type { TenantRegistry } from '../core/tenant/registry.ts';
import type { Env } from '../http/context.ts';
import type { Listening } from '../http/transport/http-server.ts';
import type { ScenarioSpec } from '../scenario/scenario-schema.ts';
import type { SimFaults } from './runtime-faults.ts';
import type { ScenarioReload } from './scenario-reload.ts';
import type { SimClock } from './sim-clock.ts';
import type { SimVerdict } from './sim-verdict.ts';
import type { SimFetch, SimTenant } from './tenant-handle.ts';

/** Holds tenants, and serves them in process and on a port. */
export interface Sim {
  readonly tenants: TenantRegistry;
  /** Answers a call in process, exactly as over a socket: `await sim.fetch('/api/v3/contacts/count')`. */
  readonly fetch: SimFetch;
  /** A tenant for one test, of this name or of one that nobody has: `await using shop = sim.tenant()`. */
  readonly tenant: (name?: string) => SimTenant;
  /** The clock of the tenant `default`. */
  readonly clock: SimClock;
  /** Puts the tenant `default` back as it was at the start: all of it, or these parts. */
  readonly reset: SimTenant['reset'];
  readonly app: Hono<Env>;
  /** What goes wrong from now on. */
  readonly faults: SimFaults;
  /**
   * Whether calls and state of a tenant are as its scenario expects, or as is said here:
   * `await sim.verdict({ tenant: 'suite-1', expectations: [{ request: { endpoint: 'createReceipt' }, exactly: 1 }] })`.
   */
  readonly verdict: SimVerdict;
  /**
   * Takes up another version of the scenario, for all tenants that follow it: rules that are as they were keep their
   * counters. Tenants start anew when their set-up changes, but not where `data` keeps their state.
   */
  readonly replaceScenario: (written: ScenarioSpec) => ScenarioReload;
  /** Serves on a port as well; any free one unless given. Throws `ListenError` when that can't be. */
  readonly listen: (options?: { readonly port?: number }) => Promise<Listening>;
  /** Where it is served, once it is. */
  readonly url: string | undefined;
  /** The point master beside it, with `withPointMaster`. */
  readonly pointMaster: PointMaster | undefined;
  /** Ends connections and timers, and writes what is still to be written. */
  readonly close: () => Promise<void>;
  /** `await using sim = await createSim()` closes it at the end of the block. */
  readonly [Symbol.asyncDispose]: () => Promise<void>;
}
