/** Makes the tenants of a sim: how each is set up, and what it starts from. */
import { parseTimestamp } from './core/clock.ts';
import type { Delivery } from './core/deliveries.ts';
import { InputError } from './core/errors.ts';
import type { State } from './core/state.ts';
import { Tenant } from './core/tenant.ts';
import type { Settings } from './core/tenant-options.ts';
import { defaultTenantName } from './core/tenants.ts';
import type { TenantSetup } from './http/control/tenants.ts';
import type { Master } from './master/master.ts';
import { variantFault } from './resources/assumption-check.ts';
import { jobHandlers } from './resources/endpoints.ts';
import { announceChanges } from './resources/events.ts';
import { Scenario } from './scenario/scenario.ts';
import type { WrittenPolicy } from './scenario/policy-schema.ts';
import type { WrittenScenario } from './scenario/scenario-schema.ts';
import { layered, setupOf } from './scenario/setup.ts';
import type { SimOptions, TenantDefaults } from './sim.ts';
import { readFixtures } from './storage/fixtures.ts';
import type { SavedTenant } from './storage/saved/content.ts';
import type { SavedState } from './storage/saved/saved-state.ts';
import { Dispatcher } from './webhooks/dispatcher.ts';
import { describeFailure } from './webhooks/retries.ts';
import { webhookSettings } from './webhooks/settings.ts';

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

/** Options with the scenario read. */
export interface SimSetup extends SimOptions {
  readonly scenario: WrittenScenario;
  readonly policy: WrittenPolicy | undefined;
}

/** How tenants are set up that follow the scenario: what options say counts more, and their defaults count less. */
export const setupInForce = (options: SimSetup): TenantDefaults =>
  layered<TenantDefaults>(options.defaults ?? {}, setupOf(options.scenario), options);

/** What a sim works with beside its options. */
export interface Beside {
  readonly saved?: SavedState | undefined;
  readonly master?: Master | undefined;
}

export interface TenantMaker {
  /** The scenario that tenants follow unless they have their own. */
  scenario: WrittenScenario;
  /** Makes a tenant, as it was kept if it was. */
  readonly make: (name: string, setup?: TenantSetup) => Tenant;
  /** Makes one that starts from its fixtures, set up as the old one but for what is said here. */
  readonly makeAnew: (old: Tenant, setup?: TenantSetup) => Tenant;
}

/** Makes tenants; those with the same fixtures, time and seed start from one and the same state. */
export function tenantMaker(options: SimSetup, { saved, master }: Beside): TenantMaker {
  // Kept by the tenants that start from it: when the last of them is gone, it may go too.
  const seedStates = new Map<string, WeakRef<State>>();
  const setups = new WeakMap<Tenant, TenantSetup>();
  const onCommit = saved && saved.committed.bind(saved);

  function build(name: string, setup: TenantSetup, kept?: SavedTenant): Tenant {
    const { scenario = maker.scenario } = setup;
    const said = setupOf(scenario);
    const base = { ...options, ...(master && { pointMasterUrl: `${master.url}/t/${name}` }) };
    const given: SimOptions[] = setup.scenario ? [base, said, setup] : [said, base, setup];
    const own = layered<SimOptions>(options.defaults ?? {}, ...given);
    const settings = settingsFrom(own);
    const key = JSON.stringify([own.fixtures, own.now, settings.seed]);
    const shared = seedStates.get(key)?.deref();
    const seedState = shared ?? readFixtures(own.fixtures, settings);
    if (!shared) seedStates.set(key, new WeakRef(seedState));
    const isTold = (options.now ?? options.defaults?.now ?? said.now) !== undefined;
    const saves = { savedState: kept?.state, savedClock: isTold ? undefined : kept?.clock };
    const faults = new Scenario(name, scenario, { hasMaster: master !== undefined, policy: options.policy });
    const reaction = settings.webhook && announceChanges(settings.webhook.events);
    const start = { name, settings, seedState, ...saves, faults };
    const tenant = new Tenant({ ...start, handlers: jobHandlers, reaction, onCommit });
    setups.set(tenant, setup);
    if (master) {
      tenant.onReturn((back) => {
        if ('snapshot' in back || back.scopes.includes('state')) master.reset(name);
      });
    }
    const { onExchange } = options;
    if (onExchange) tenant.journal.listen((exchange) => onExchange(tenant, exchange));
    const { webhook } = settings;
    const sending = { faults: faults.webhooks, onAttempt: noteFailure(options, tenant) };
    if (webhook) tenant.attach(new Dispatcher({ tenant, webhook, ...sending }));
    return tenant;
  }

  const maker: TenantMaker = {
    scenario: options.scenario,
    make: (name, given) => {
      const kept = saved?.tenants.get(name);
      // What is kept is what was given when the tenant was made.
      const tenant = build(name, given ?? (kept?.setup as TenantSetup | undefined) ?? {}, kept);
      if (given && !kept) saved?.made(tenant, { ...given });
      return tenant;
    },
    makeAnew: (old, setup = {}) => {
      const whole = layered<TenantSetup>(setups.get(old) ?? {}, setup);
      const tenant = build(old.name, whole);
      // How the first tenant is set up is what the next start says.
      saved?.replaced(old, tenant, old.name === defaultTenantName ? undefined : { ...whole });
      return tenant;
    },
  };
  return maker;
}

/** Tells a person of attempts that did not deliver. */
const noteFailure =
  ({ onNote }: SimOptions, { name, settings }: Tenant) =>
  (delivery: Delivery): void => {
    const said = settings.webhook && describeFailure(delivery, settings.webhook.url);
    if (said !== undefined) onNote?.(`Tenant ${name}: ${said}`);
  };
