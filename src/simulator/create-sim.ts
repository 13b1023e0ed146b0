import type { Hono } from 'hono';
import type { PointMasterOptions } from '../point-master/options.ts';
import type { PointMaster } from '../point-master/point-master.ts';
import { InputError } from '../core/lib/input-error.ts';
import type { Exchange } from '../core/exchange/exchange.ts';
import type { Tenant } from '../core/tenant/tenant.ts';
import type { OptionInputs } from '../core/validation/option-definition.ts';
import type { TenantOptionInputs } from '../service/settings/tenant-options.ts';
import type { webhookOptions } from '../webhooks/settings.ts';
import { defaultTenantName, TenantRegistry } from '../core/tenant/registry.ts';
import type { Env } from '../http/context.ts';
import { fetchInProcess } from '../http/transport/in-process.ts';
import type { Listening } from '../http/transport/http-server.ts';
import { createSimFaults } from './runtime-faults.ts';
import type { SimFaults } from './runtime-faults.ts';
import { reloadScenario, applyScenario } from './scenario-reload.ts';
import type { ScenarioReload } from './scenario-reload.ts';
import type { PolicyInput, PolicySpec } from '../scenario/policy-schema.ts';
import type { ScenarioInput, ScenarioSpec } from '../scenario/scenario-schema.ts';
import { createServiceApp } from './service-app.ts';
import { parseSimOptions } from './option-checks.ts';
import { toRequest, tenantProvider } from './tenant-handle.ts';
import type { SimServices, SimFetch, SimTenant } from './tenant-handle.ts';
import type { SimClock } from './sim-clock.ts';
import { createTenantFactory } from './tenant-factory.ts';
import type { Companions, ResolvedSimOptions } from './tenant-factory.ts';
import { createSimVerdict } from './sim-verdict.ts';
import type { SimVerdict } from './sim-verdict.ts';

/** Sets up tenants, by the options that a tenant has. */
export type TenantDefaults = TenantOptionInputs;

/** Sets up a sim; everything has a default. */
export interface SimOptions extends TenantOptionInputs, OptionInputs<typeof webhookOptions> {
  /** Starts a fake point master beside the sim, on a port of its own, and follows it. */
  readonly withPointMaster?: boolean | undefined;
  /** Keys of callers that are accepted (default: any key or none, A-01). */
  readonly apiKeys?: readonly string[] | undefined;
  /** Names tenants by path and header, or by key too (default: path). */
  readonly tenants?: 'path' | 'by-key' | undefined;
  /**
   * Scenario of every tenant, where no option says otherwise: an object, a file, the name of a built-in scenario, or
   * several names and files as one.
   */
  readonly scenario?: ScenarioInput | string | readonly string[] | undefined;
  /** Rules for the client where the scenario has none: `{ maxAttempts: 4, minBackoff: '1s' }`. */
  readonly policy?: PolicyInput | undefined;
  /** Sets up tenants where neither an option nor the scenario says it. */
  readonly defaults?: TenantDefaults | undefined;
  /** Largest size of the journal of a tenant, in bytes (default: 64 MiB). */
  readonly journalBytes?: number | undefined;
  /** Address to listen on, which the Host header must name (default: 127.0.0.1). */
  readonly host?: string | undefined;
  /** Key of the control API, which is off without one when `host` is not loopback. */
  readonly adminKey?: string | undefined;
  /** File that keeps the state over restarts, and the clock too, unless `now` is given. */
  readonly data?: string | undefined;
  /** Called when a request completes, and again when a job that it queued is executed. */
  readonly onRequest?: ((tenant: Tenant, exchange: Exchange) => void) | undefined;
  /** Called for every event of the point master beside the sim. */
  readonly onPointMasterEvent?: PointMasterOptions['onEvent'];
  /** Called with what a person should know and no response says: of the saved state, or of unreadable requests. */
  readonly onWarning?: ((message: string) => void) | undefined;
  /** Called with an error that should never happen. */
  readonly onInternalError?: ((error: unknown) => void) | undefined;
}

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

/** Makes a simulator: no port, no process, just a value to call. Throws `InputError` for options that can't be. */
export async function createSim(options: SimOptions = {}): Promise<Sim> {
  const parsed = parseSimOptions(options);
  const [scenario, policy] = [await resolveScenario(options.scenario), await resolvePolicy(options.policy)];
  const setup = { ...parsed, scenario, policy };
  if (!options.withPointMaster) return createPersistentSim(setup);
  const { createSimWithPointMaster } = await import('./with-point-master.ts');
  return createSimWithPointMaster(setup, createPersistentSim);
}

async function createPersistentSim(options: ResolvedSimOptions, pointMaster?: PointMaster): Promise<Sim> {
  if (options.data === undefined) return assembleSim(options, { pointMaster });
  const { StateStore } = await import('../storage/persistence/state-store.ts');
  const saved = await StateStore.open({ file: options.data, onWarning: options.onWarning ?? (() => {}) });
  try {
    const sim = assembleSim(options, { saved, pointMaster });
    await saved.start(sim.tenants.default);
    return sim;
  } catch (error) {
    await saved.close();
    throw error;
  }
}

async function resolvePolicy(given: SimOptions['policy']): Promise<PolicySpec | undefined> {
  if (given === undefined) return undefined;
  const { parsePolicy: checkedPolicy } = await import('../scenario/scenario-parser.ts');
  return checkedPolicy(given);
}

const isList = (given: object): given is readonly string[] => Array.isArray(given);

async function resolveScenario(given: SimOptions['scenario']): Promise<ScenarioSpec> {
  if (given === undefined) return {};
  if (typeof given === 'object' && !isList(given)) {
    const { parseScenario: checkedScenario } = await import('../scenario/scenario-parser.ts');
    return checkedScenario(given);
  }
  const { loadScenarios } = await import('../scenario/load.ts');
  return loadScenarios([given].flat()).written;
}

function assembleSim(options: ResolvedSimOptions, { saved, pointMaster }: Companions): Sim {
  const maker = createTenantFactory(options, { saved, pointMaster });
  const { host = '127.0.0.1', onInternalError = () => {}, onWarning = () => {} } = options;
  const tenants = new TenantRegistry(
    (name) => maker.create(name),
    (tenant) => saved?.recordRemoval(tenant),
  );
  for (const name of saved?.tenants.keys() ?? []) tenants.getOrCreate(name);
  const app = createServiceApp(options, { tenants, tenantFactory: maker, pointMaster });
  let listening: Listening | undefined;
  const close = async (): Promise<void> => {
    await pointMaster?.close();
    await listening?.close();
    for (const tenant of tenants) tenant.close();
    await saved?.close();
  };
  const lent: SimServices = {
    tenants,
    fetch: async (input, init) => fetchInProcess(app, toRequest(input, init)),
    faults: createSimFaults(tenants),
    verdict: createSimVerdict(tenants),
    applyScenario: async (tenant, scenario) =>
      void applyScenario(tenant, await resolveScenario(scenario), { tenants, makeAnew: maker.recreate }),
    adminKey: options.adminKey,
    url: () => listening?.url,
  };
  const tenant = tenantProvider(lent);
  const { clock, reset } = tenant(defaultTenantName);
  const { fetch, faults, verdict } = lent;
  return {
    tenants,
    app,
    fetch,
    faults,
    verdict,
    tenant,
    clock,
    reset,
    pointMaster,
    close,
    [Symbol.asyncDispose]: close,
    replaceScenario: (written) => reloadScenario(written, { maker, tenants, isKept: saved !== undefined }),
    listen: async ({ port = 0 } = {}) => {
      if (listening) throw new InputError(`This sim is served already, at ${listening.url}.`);
      const { listen } = await import('../http/transport/http-server.ts');
      listening = await listen(app, { host, port, onInternalError, onWarning });
      return listening;
    },
    get url() {
      return listening?.url;
    },
  };
}
