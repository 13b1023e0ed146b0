/** Creates the tenants of a sim, each with its set-up and its seed state. */
import { parseTimestamp } from '../core/time/clock.ts';
import { finish, finishInTurns, nextTurn } from '../core/time/steps.ts';
import type { Steps } from '../core/time/steps.ts';
import type { WebhookDelivery } from '../core/tenant/webhook-outbox.ts';
import type { State } from '../core/state/state.ts';
import { Tenant } from '../core/tenant/tenant.ts';
import type { TenantSettings } from '../core/tenant/settings.ts';
import { defaultTenantName } from '../core/tenant/registry.ts';
import type { TenantStart } from '../admin/input/admin-context.ts';
import type { TenantSetup } from '../admin/input/tenant-setup.ts';
import type { PointMaster } from '../point-master/point-master.ts';
import { withDefaults } from '../core/validation/option-definition.ts';
import { settingOptions } from '../service/settings/tenant-options.ts';
import type { TenantOptionValues } from '../service/settings/tenant-options.ts';
import { jobHandlers } from '../service/endpoints.ts';
import { createChangeEventReaction } from '../service/events/change-events.ts';
import { Scenario } from '../scenario/scenario.ts';
import type { PolicySpec } from '../scenario/policy-schema.ts';
import type { ScenarioSpec } from '../scenario/scenario-schema.ts';
import { mergeSetups, setupOf } from '../scenario/setup.ts';
import type { ScenarioSetup } from '../scenario/setup.ts';
import type { ParsedSimOptions } from './option-checks.ts';
import { commonOptions } from './settings/sim-options.ts';
import { loadFixtureInSteps } from '../storage/fixtures/load-fixture.ts';
import { RecentFixtures } from '../storage/fixtures/recent-fixtures.ts';
import type { PersistedTenant } from '../storage/persistence/persisted-state.ts';
import { JournalBudget } from '../core/exchange/journal-budget.ts';
import type { StateStore } from '../storage/persistence/state-store.ts';
import type { Tracer } from '../telemetry/tracer.ts';
import { packageVersion } from '../package/package-info.ts';
import { stoppedError } from '../service/errors/catalog.ts';
import { Dispatcher } from '../webhooks/dispatcher.ts';
import { describeFailure } from '../webhooks/retry-schedule.ts';
import { webhookSettings } from '../webhooks/settings.ts';

function tenantSettingsFrom(options: TenantLayer): TenantSettings {
  const frozenAt = options.now === undefined ? undefined : parseTimestamp(options.now);
  return {
    ...withDefaults(settingOptions, options),
    clock: frozenAt === undefined ? { offset: 0 } : { frozenAt },
    journalBytes: options.journalBytes ?? commonOptions.journalBytes.default,
    webhook: webhookSettings(options),
    pointMasterUrl: options.pointMasterUrl,
  };
}

type TenantLayer = Omit<ParsedSimOptions, 'scenario' | 'policy'>;

/** Holds the options with scenario and policy parsed. */
export interface ResolvedSimOptions extends TenantLayer {
  readonly scenario: ScenarioSpec;
  readonly policy: PolicySpec | undefined;
}

/** Returns the set-up of tenants that follow the scenario: options override it, and it overrides their defaults. */
export const effectiveTenantDefaults = (options: ResolvedSimOptions): TenantOptionValues =>
  mergeSetups<TenantOptionValues>(options.defaults ?? {}, setupOf(options.scenario), options);

/** Holds what a sim works with in addition to its options. */
export interface Companions {
  readonly saved?: StateStore | undefined;
  readonly pointMaster?: PointMaster | undefined;
  /** Lets a tenant import the files of its folder. */
  readonly attachImporter?: ((tenant: Tenant) => void) | undefined;
  /** Traces requests and webhooks. */
  readonly tracer?: Tracer | undefined;
}

export interface TenantFactory {
  /** Holds the scenario of tenants that have none of their own. */
  scenario: ScenarioSpec;
  /** Creates a tenant, from its saved state if there is one. */
  readonly create: (name: string, setup?: TenantSetup) => Tenant;
  /** Creates a tenant set up as another one, except for these settings, and lets it start from elsewhere than its fixtures. */
  readonly createLike: (model: Tenant, name: string, setup: TenantSetup, startFrom: (tenant: Tenant) => void) => Tenant;
  /** Creates a tenant with its own set-up from its fixtures, in the place of the old one. */
  readonly replace: (old: Tenant, setup: TenantSetup) => Tenant;
  /** Creates a tenant from its fixtures, set up as the old one, except for these settings. */
  readonly recreate: (old: Tenant, setup?: TenantSetup) => Tenant;
  /** Reads what a tenant starts from in turns, and does work while that is at hand: creating the tenant then reads nothing. */
  readonly withSeed: <Result>(start: TenantStart, work: () => Result) => Promise<Awaited<Result>>;
  /** Ends the reading of what tenants start from; resolves when nobody reads it any more, and all that work is done. */
  readonly close: () => Promise<void>;
}

/** Holds what follows from the options and from a tenant's own set-up. */
interface TenantPlan {
  readonly scenario: ScenarioSpec;
  readonly scenarioSetup: ScenarioSetup;
  readonly own: TenantLayer;
  readonly settings: TenantSettings;
}

/** Returns what tenants that start from the same state have in common. */
const seedKeyOf = ({ own, settings }: TenantPlan): string => JSON.stringify([own.fixtures, own.now, settings.seed]);

/** Serves all simulators of this process: states never change. */
const recentFixtures = new RecentFixtures();

/** Creates the factory; tenants with the same fixtures, time and seed share one seed state. */
export function createTenantFactory(
  options: ResolvedSimOptions,
  { saved, pointMaster, attachImporter, tracer }: Companions,
): TenantFactory {
  // Tenants hold their seed state: it can be collected once the last of them is gone.
  const seedStates = new Map<string, WeakRef<State>>();
  const seedsToCome = new Map<string, Promise<State>>();
  /** Keeps them from being collected before the tenant is there that holds them. */
  const seedsInUse = new Set<{ readonly seed?: State }>();
  const setups = new WeakMap<Tenant, TenantSetup>();
  let isClosed = false;
  const { fixtureCache: folder, onWarning = () => {} } = options;
  const journalBudget = new JournalBudget(options.totalJournalBytes ?? commonOptions.totalJournalBytes.default);
  const cache = folder === undefined ? undefined : { folder, onWarning };
  const keptFixtures = { cache, recent: recentFixtures };

  function planOf(name: string, setup: TenantSetup): TenantPlan {
    const { scenario = factory.scenario } = setup;
    const scenarioSetup = setupOf(scenario);
    const base = { ...options, ...(pointMaster && { pointMasterUrl: `${pointMaster.url}/t/${name}` }) };
    const given: TenantLayer[] = setup.scenario ? [base, scenarioSetup, setup] : [scenarioSetup, base, setup];
    const own = mergeSetups<TenantLayer>(options.defaults ?? {}, ...given);
    return { scenario, scenarioSetup, own, settings: tenantSettingsFrom(own) };
  }

  function* loadSeed(plan: TenantPlan): Steps<State> {
    const { own, settings } = plan;
    const key = seedKeyOf(plan);
    const shared = seedStates.get(key)?.deref();
    if (shared) return shared;
    const loaded = yield* loadFixtureInSteps(own.fixtures, settings, keptFixtures);
    seedStates.set(key, new WeakRef(loaded));
    return loaded;
  }

  /** Takes steps until the simulator is stopped, when nobody waits for their end. */
  function* untilClosed<T>(steps: Steps<T>): Steps<T> {
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done) return step.value;
      if (isClosed) {
        steps.return(undefined as never);
        throw stoppedError();
      }
      yield;
    }
  }

  /** Loads what a tenant starts from in turns, once for all tenants of the same start that are created at once. */
  function loadSeedInTurns(plan: TenantPlan): Promise<State> {
    const key = seedKeyOf(plan);
    const known = seedsToCome.get(key);
    if (known) return known;
    const loading = finishInTurns(untilClosed(loadSeed(plan))).finally(() => seedsToCome.delete(key));
    seedsToCome.set(key, loading);
    return loading;
  }

  function build(name: string, setup: TenantSetup, kept?: PersistedTenant): Tenant {
    const plan = planOf(name, setup);
    const { scenario, scenarioSetup, settings } = plan;
    const seedState = finish(loadSeed(plan));
    const isTimeSet = (options.now ?? options.defaults?.now ?? scenarioSetup.now) !== undefined;
    const saves = { savedState: kept?.state, savedClock: isTimeSet ? undefined : kept?.clock };
    const faults = new Scenario(name, scenario, {
      hasPointMaster: pointMaster !== undefined,
      policy: options.policy,
      failOnWarnings: options.failOnWarnings,
    });
    const reaction = settings.webhook && createChangeEventReaction(settings.webhook.events);
    const start = { name, settings, seedState, ...saves, faults, journalBudget };
    const tenant = new Tenant({ ...start, handlers: jobHandlers, beforeCommit: reaction, saving: saved });
    setups.set(tenant, setup);
    if (pointMaster) {
      tenant.onRestore((back) => {
        if ('snapshot' in back || back.scopes.includes('state')) pointMaster.reset(name);
      });
    }
    const { onRequest } = options;
    if (onRequest) tenant.journal.onCompleted((exchange) => onRequest(tenant, exchange));
    if (tracer) tenant.journal.onCompleted((exchange) => tracer.onRequest(tenant, exchange));
    const { webhook } = settings;
    const warnOfFailure = warnOfFailedDelivery(options, tenant);
    const onAttempt = (delivery: WebhookDelivery): void => {
      warnOfFailure(delivery);
      tracer?.onWebhookAttempt(tenant, delivery);
    };
    const sending = { userAgent, faults: faults.webhooks, onAttempt };
    if (webhook) tenant.attachWebhookSender(new Dispatcher({ tenant, webhook, ...sending }));
    return completed(tenant, () => attachImporter?.(tenant));
  }

  const setupLike = (model: Tenant, setup: TenantSetup): TenantSetup =>
    mergeSetups<TenantSetup>(setups.get(model) ?? {}, setup);

  function buildLike(model: Tenant, name: string, setup: TenantSetup): { tenant: Tenant; whole: TenantSetup } {
    const whole = setupLike(model, setup);
    return { tenant: build(name, whole), whole };
  }

  const replaceBy = (old: Tenant, tenant: Tenant, setup: TenantSetup): Tenant =>
    completed(tenant, () => {
      // The options of the next start set up the default tenant.
      saved?.recordReplaced(old, tenant, old.name === defaultTenantName ? undefined : { ...setup });
    });

  const factory: TenantFactory = {
    scenario: options.scenario,
    create: (name, given) => {
      const kept = saved?.tenants.get(name);
      // The saved set-up is the one that the tenant was created with.
      const tenant = build(name, given ?? (kept?.setup as TenantSetup | undefined) ?? {}, kept);
      return given && !kept ? completed(tenant, () => saved?.recordCreated(tenant, { ...given })) : tenant;
    },
    createLike: (model, name, setup, startFrom) => {
      const { tenant, whole } = buildLike(model, name, setup);
      const start = (): void => startFrom(tenant);
      return completed(tenant, () => (saved ? saved.recordCreated(tenant, { ...whole }, start) : start()));
    },
    replace: (old, setup) => replaceBy(old, build(old.name, setup), setup),
    recreate: (old, setup = {}) => {
      const { tenant, whole } = buildLike(old, old.name, setup);
      return replaceBy(old, tenant, whole);
    },
    withSeed: async <Result>({ name, setup, model }: TenantStart, work: () => Result): Promise<Awaited<Result>> => {
      const plan = planOf(name, model ? setupLike(model, setup) : setup);
      const inUse: { seed?: State } = {};
      seedsInUse.add(inUse);
      let release: (() => void) | undefined;
      try {
        inUse.seed = await loadSeedInTurns(plan);
        // Where the state is saved, creating the tenant takes little time then.
        release = await saved?.keepSeed(inUse.seed);
        return await work();
      } finally {
        release?.();
        seedsInUse.delete(inUse);
      }
    },
    close: async () => {
      isClosed = true;
      while (seedsInUse.size > 0) await nextTurn();
    },
  };
  return factory;
}

/** Does what is left of creating a tenant, and returns it; when that fails, it is closed, and does nothing under its name. */
function completed(tenant: Tenant, work: () => void): Tenant {
  try {
    work();
    return tenant;
  } catch (error) {
    tenant.close();
    throw error;
  }
}

/** Warns of attempts that did not deliver. */
const warnOfFailedDelivery =
  ({ onWarning }: ResolvedSimOptions, { name, settings }: Tenant) =>
  (delivery: WebhookDelivery): void => {
    const failure = settings.webhook && describeFailure(delivery, settings.webhook.url);
    if (failure !== undefined) onWarning?.(`Tenant ${name}: ${failure}`);
  };

/** Returns the `user-agent` of webhooks. */
const userAgent = (): string => `loyalty-sim/${packageVersion()}`;
