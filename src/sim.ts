import type { Hono } from 'hono';
import type { Master, MasterOptions } from './master/master.ts';
import { parseTimestamp } from './core/clock.ts';
import type { Delivery } from './core/deliveries.ts';
import { InputError } from './core/errors.ts';
import type { Exchange } from './core/journal.ts';
import type { State } from './core/state.ts';
import { Tenant } from './core/tenant.ts';
import type { Settings } from './core/tenant.ts';
import { Tenants } from './core/tenants.ts';
import { createApp } from './http/app.ts';
import type { Env } from './http/context.ts';
import type { TenantSetup } from './http/control/tenants.ts';
import { fetchInProcess } from './http/in-process.ts';
import type { Listening } from './http/listen.ts';
import { variantFault } from './resources/assumption-check.ts';
import { endpoints, jobHandlers } from './resources/endpoints.ts';
import { simFaults } from './scenario/added.ts';
import type { SimFaults } from './scenario/added.ts';
import { announceChanges } from './resources/events.ts';
import { Scenario } from './scenario/scenario.ts';
import type { WrittenScenario } from './scenario/scenario-schema.ts';
import { readFixtures } from './storage/fixtures.ts';
import type { SavedState } from './storage/saved/saved-state.ts';
import { Dispatcher } from './webhooks/dispatcher.ts';
import { describeFailure } from './webhooks/retries.ts';
import { webhookSettings } from './webhooks/settings.ts';
import { simVerdict } from './verdict/sim-verdict.ts';
import type { SimVerdict } from './verdict/sim-verdict.ts';

/** How a sim is set up; everything has a default. */
export interface SimOptions {
  /** A fixture file or a folder of them; the retailer that comes along unless given. */
  readonly fixtures?: string | undefined;
  /** What ids and chance follow from. */
  readonly seed?: number | undefined;
  /** Whether the service keeps points itself, or follows an external point master. */
  readonly mode?: Settings['mode'] | undefined;
  /** Starts a fake point master beside it, on a port of its own, and follows that. */
  readonly withMaster?: boolean | undefined;
  /** Freezes every tenant's clock at this timestamp. */
  readonly now?: string | undefined;
  /** Variants of assumptions: `{ "A-24": "twice" }`. */
  readonly assume?: Readonly<Record<string, string>> | undefined;
  /** Keys to be let in; any or none unless given. */
  readonly apiKeys?: readonly string[] | undefined;
  /** Whether tenants are told by path and header alone, or by key too (design.md §6). */
  readonly tenants?: 'path' | 'by-key' | undefined;
  /** How long queued work waits, in ms. */
  readonly queueDelay?: number | undefined;
  readonly fieldValidation?: Settings['fieldValidation'] | undefined;
  /** Where adjustments of points are sent in point-follower mode, and other events when asked for. */
  readonly webhookUrl?: string | undefined;
  /** The 32 characters that their payloads are encrypted with. */
  readonly webhookKey?: string | undefined;
  /** What they are signed with, as `whsec_…`; the key's own bytes unless given. */
  readonly webhookSecret?: string | undefined;
  /** Kinds of events to send as well: `contact.created`, `point.balance.updated`, … */
  readonly webhookEvents?: readonly string[] | undefined;
  /** Where the point master is asked for a contact's history. */
  readonly pointMasterUrl?: string | undefined;
  /** What goes wrong, for every tenant: rules, and how the tenant is set up. */
  readonly scenario?: WrittenScenario | undefined;
  /** What the journal of a tenant may hold, in bytes. */
  readonly journalBytes?: number | undefined;
  /** The address to listen on, which the Host header must name; 127.0.0.1 unless given. */
  readonly host?: string | undefined;
  /** What the control API asks for; without one it is off when `host` is not loopback. */
  readonly adminKey?: string | undefined;
  /** A file that keeps the state over restarts, made when it isn't there; the clock too, unless `now` is given. */
  readonly data?: string | undefined;
  /** Told of every call when it is answered, and again when a job that it queued is done. */
  readonly onExchange?: ((tenant: Tenant, exchange: Exchange) => void) | undefined;
  /** Told of all that happens in the point master beside it. */
  readonly onMasterEntry?: MasterOptions['onEntry'];
  /** Told of what a person should know about the saved state and no answer tells. */
  readonly onNote?: ((note: string) => void) | undefined;
  /** Told of what should never happen. */
  readonly onFault?: ((error: unknown) => void) | undefined;
}

export interface Sim {
  readonly tenants: Tenants;
  /** Answers a request in process, exactly as over a socket. */
  readonly fetch: (request: Request) => Promise<Response>;
  readonly app: Hono<Env>;
  /** What goes wrong from now on. */
  readonly faults: SimFaults;
  /**
   * Whether calls and state of a tenant are as its scenario expects, or as is said here:
   * `await sim.verdict({ tenant: 'suite-1', expectations: [{ call: { endpoint: 'createReceipt' }, exactly: 1 }] })`.
   */
  readonly verdict: SimVerdict;
  /** Serves on a port as well; any free one unless given. Throws `ListenError` when that can't be. */
  readonly listen: (options?: { readonly port?: number }) => Promise<Listening>;
  /** Where it is served, once it is. */
  readonly url: string | undefined;
  /** The point master beside it, with `withMaster`. */
  readonly master: Master | undefined;
  /** Ends connections and timers, and writes what is still to be written. */
  readonly close: () => Promise<void>;
}

const defaultJournalBytes = 64 * 1024 * 1024;

function settingsFrom(options: SimOptions): Settings {
  const frozenAt = options.now === undefined ? undefined : parseTimestamp(options.now);
  if (options.now !== undefined && frozenAt === undefined) {
    throw new InputError(`now: "${options.now}" is not an ISO 8601 timestamp with a UTC offset`);
  }
  const faults = Object.entries(options.assume ?? {}).flatMap(([id, variant]) => variantFault(id, variant) ?? []);
  if (faults.length > 0) throw new InputError(`assume: ${faults.join('; ')}`);
  return {
    seed: options.seed ?? 1,
    mode: options.mode ?? 'standard',
    assume: options.assume ?? {},
    queueDelay: options.queueDelay ?? 0,
    fieldValidation: options.fieldValidation ?? 'warn',
    clock: frozenAt === undefined ? { offset: 0 } : { frozenAt },
    journalBytes: options.journalBytes ?? defaultJournalBytes,
    webhook: webhookSettings(options),
    pointMasterUrl: options.pointMasterUrl,
  };
}

/** What a sim works with beside its options. */
interface Beside {
  readonly saved?: SavedState | undefined;
  readonly master?: Master | undefined;
}

/** Makes tenants; those with the same fixtures, time and seed start from one and the same state. */
function tenantMaker(options: SimOptions, { saved, master }: Beside): (name: string, setup?: TenantSetup) => Tenant {
  // Kept by the tenants that start from it: when the last of them is gone, it may go too.
  const seedStates = new Map<string, WeakRef<State>>();
  const onCommit = saved && saved.committed.bind(saved);
  return function makeTenant(name, given) {
    const kept = saved?.tenants.get(name);
    // What is kept is what was given when the tenant was made.
    const setup = given ?? (kept?.setup as TenantSetup | undefined) ?? {};
    const base = { ...options, ...(master && { pointMasterUrl: `${master.url}/t/${name}` }) };
    const own: SimOptions = { ...base, ...setup, assume: { ...options.assume, ...setup.assume } };
    const settings = settingsFrom(own);
    const key = JSON.stringify([own.fixtures, own.now, settings.seed]);
    const shared = seedStates.get(key)?.deref();
    const seedState = shared ?? readFixtures(own.fixtures, settings);
    if (!shared) seedStates.set(key, new WeakRef(seedState));
    const savedClock = options.now === undefined ? kept?.clock : undefined;
    const start = { name, settings, seedState, savedState: kept?.state, savedClock };
    const faults = new Scenario(name, own.scenario);
    const reaction = settings.webhook && announceChanges(settings.webhook.events);
    const tenant = new Tenant({ ...start, faults, handlers: jobHandlers, reaction, onCommit });
    if (given && !kept) saved?.made(tenant, { ...given });
    if (master) tenant.onReturn(() => master.reset(name));
    const { onExchange } = options;
    if (onExchange) tenant.journal.listen((exchange) => onExchange(tenant, exchange));
    const { webhook } = settings;
    if (webhook) tenant.attach(new Dispatcher({ tenant, webhook, onAttempt: noteFailure(options, tenant) }));
    return tenant;
  };
}

/** Tells a person of attempts that did not deliver. */
const noteFailure =
  ({ onNote }: SimOptions, { name, settings }: Tenant) =>
  (delivery: Delivery): void => {
    const said = settings.webhook && describeFailure(delivery, settings.webhook.url);
    if (said !== undefined) onNote?.(`Tenant ${name}: ${said}`);
  };

/** Makes a simulator: no port, no process, just a value to call. Throws `InputError` for options that can't be. */
export async function createSim(options: SimOptions = {}): Promise<Sim> {
  if (!options.withMaster) return savedSim(options);
  const { besideMaster } = await import('./with-master.ts');
  return besideMaster(options, savedSim);
}

async function savedSim(options: SimOptions, master?: Master): Promise<Sim> {
  if (options.data === undefined) return simOf(options, { master });
  const { SavedState } = await import('./storage/saved/saved-state.ts');
  const saved = await SavedState.open({ file: options.data, onNote: options.onNote ?? (() => {}) });
  try {
    const sim = simOf(options, { saved, master });
    await saved.start(sim.tenants.default);
    return sim;
  } catch (error) {
    await saved.close();
    throw error;
  }
}

function simOf(options: SimOptions, { saved, master }: Beside): Sim {
  const makeTenant = tenantMaker(options, { saved, master });
  const { host = '127.0.0.1', onFault = () => {} } = options;
  const shared = {
    endpoints,
    tenants: new Tenants(
      (name) => makeTenant(name),
      (tenant) => saved?.removing(tenant),
    ),
    tenantsBy: options.tenants ?? 'path',
    apiKeys: options.apiKeys ?? [],
    listenHost: host,
    onFault,
  } as const;
  const { tenants } = shared;
  for (const name of saved?.tenants.keys() ?? []) tenants.obtain(name);
  let control: Promise<Hono<Env>> | undefined;
  const loadControl = async (): Promise<Hono<Env>> => {
    const { createControlApp } = await import('./http/control/app.ts');
    return createControlApp({
      ...shared,
      makeTenant,
      master,
      adminKey: options.adminKey,
      note: options.onNote ?? (() => {}),
    });
  };
  const app = createApp({ ...shared, control: () => (control ??= loadControl()) });
  let listening: Listening | undefined;
  return {
    tenants,
    app,
    faults: simFaults(tenants),
    verdict: simVerdict(tenants),
    fetch: async (request) => fetchInProcess(app, request),
    listen: async ({ port = 0 } = {}) => {
      if (listening) throw new InputError(`This sim is served already, at ${listening.url}.`);
      const { listen } = await import('./http/listen.ts');
      listening = await listen(app, { host, port, onFault });
      return listening;
    },
    get url() {
      return listening?.url;
    },
    master,
    close: async () => {
      await master?.close();
      await listening?.close();
      for (const tenant of tenants) tenant.close();
      await saved?.close();
    },
  };
}
