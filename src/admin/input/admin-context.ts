import * as z from '../../core/validation/deferred-zod.ts';
import type { Signal } from '../../core/lib/signal.ts';
import { endpointFor } from '../../core/exchange/endpoint.ts';
import type { AsyncEndpoint, Endpoint } from '../../core/exchange/endpoint.ts';
import { integerParameter } from '../../core/exchange/pagination.ts';
import type { Tenant } from '../../core/tenant/tenant.ts';
import type { TenantRegistry } from '../../core/tenant/registry.ts';
import { text, upTo } from '../../core/validation/field-types.ts';
import type { ScenarioSpec } from '../../scenario/scenario-schema.ts';
import type { liveExplorationSchema } from '../serialize/live-exploration.ts';
import type { TenantSetup } from './tenant-setup.ts';

/** Lets the point master next to the sim send its balances, if there is one. */
interface PointMasterSync {
  readonly sync: (request: { readonly tenant: string }) => Promise<{
    readonly calls: readonly {
      readonly outcome: string;
      readonly items: number;
      readonly status: number | null;
      readonly message: string | null;
    }[];
  }>;
}

/** Tells how far the exploration is that the simulator is used for, if it is. */
export interface ExplorationSource {
  /** Emits when something has changed. */
  readonly changed: Signal;
  /** Counts the changes. */
  readonly change: number;
  readonly isEnded: boolean;
  /** Puts together what is known; null while no exploration was begun. */
  readonly state: () => z.input<typeof liveExplorationSchema> | null;
}

/** Says which tenant is to be created. */
export interface TenantStart {
  readonly name: string;
  readonly setup: TenantSetup;
  /** Holds the tenant that it is set up as, except for its own set-up. */
  readonly model?: Tenant | undefined;
}

/** Holds what the endpoints of the control API work on. */
export interface AdminContext {
  readonly tenants: TenantRegistry;
  readonly endpoints: readonly Endpoint[];
  readonly adminEndpoints: readonly AsyncEndpoint<AdminContext>[];
  /** Makes a tenant, set up as the sim is but for what the setup says. Throws `InputError`. */
  readonly createTenant: (name: string, setup: TenantSetup) => Tenant;
  /**
   * Makes a tenant that is set up as another one but for what the setup says, and starts from elsewhere than its fixtures.
   * Throws `InputError`.
   */
  readonly createTenantLike: (
    model: Tenant,
    name: string,
    setup: TenantSetup,
    startFrom: (tenant: Tenant) => void,
  ) => Tenant;
  /** Reads what such a tenant starts from in turns, and does work that creates it then. Throws `InputError`. */
  readonly withSeed: <Result>(start: TenantStart, work: () => Result) => Promise<Awaited<Result>>;
  /** Lets a tenant follow another scenario; one that says how the tenant is set up recreates it. Returns the tenant. */
  readonly applyScenario: (tenant: Tenant, scenario: ScenarioSpec) => Promise<Tenant>;
  /** Sends a request to the service in process, as its clients do over HTTP. */
  readonly sendRequest: (request: Request) => Promise<Response>;
  /** Holds a key that the service accepts, if it asks for one. */
  readonly apiKey: string | undefined;
  /** Holds the tenant that `?tenant=` names, or `default`; it is created if it is not there. */
  readonly tenant: Tenant;
  /** Holds the origin that the client called. */
  readonly serverUrl: string;
  readonly pointMaster?: PointMasterSync | undefined;
  readonly exploration: ExplorationSource;
  /** Holds the open event streams. */
  readonly streams: Set<{ readonly end: () => void }>;
  /** Writes a line to the log that a person should see. */
  readonly warn: (message: string) => void;
  /** Aborts when the client hangs up. */
  readonly signal: AbortSignal;
}

export const adminEndpoint = endpointFor<AdminContext>();

/** Every call that is about one tenant takes this query parameter. */
export const tenantParameter = { tenant: text.optional().describe('The tenant (default: "default")') };

export const tenantQuery = z.object(tenantParameter);

/** Lists that can be long take these query parameters. */
export const defaultLimit = 100;

export const pageParameters = {
  offset: integerParameter(0).default(0).describe('Skips this many items'),
  limit: integerParameter(1)
    .max(...upTo(1000))
    .default(defaultLimit)
    .describe('Largest number of items'),
};
