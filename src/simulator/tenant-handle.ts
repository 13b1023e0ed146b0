/** Gives test code a tenant: a retailer of its own for one test. */
import type { ResetScope } from '../core/tenant/reset-scopes.ts';
import { resetTenant } from '../core/tenant/reset.ts';
import { finish } from '../core/time/steps.ts';
import { resetScopes } from '../core/tenant/reset-scopes.ts';
import { InputError } from '../core/lib/input-error.ts';
import { rejectRenamedMembers } from '../core/lib/renamed-names.ts';
import type { Exchange } from '../core/exchange/exchange.ts';
import { defaultTenantName, tenantPrefix } from '../core/tenant/registry.ts';
import type { Tenant } from '../core/tenant/tenant.ts';
import type { TenantRegistry } from '../core/tenant/registry.ts';
import type { ContactCard } from '../admin/contacts/contact-card.ts';
import { tenantRejectionReason } from '../http/pipeline/tenant-resolution.ts';
import { checkArgument, checkWord, kinds } from '../core/lib/argument-checks.ts';
import { createSimClock } from './sim-clock.ts';
import type { SimClock } from './sim-clock.ts';
import type { SimFaults } from './runtime-faults.ts';
import type { RuleInput } from '../faults/rule-schema.ts';
import type { ExpectationInput } from '../scenario/expectations/expectation-schema.ts';
import type { SimOptions } from './options.ts';
import type { SimVerdict } from './sim-verdict.ts';
import type { Verdict } from '../verdict/verdict.ts';

/** Works like the global `fetch`, for a path as well as for a whole URL. */
export type SimFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

export interface SimTenant {
  readonly name: string;
  /** Holds the base URL for its client, once the sim is served. */
  readonly url: string | undefined;
  /** Handles a request in process: `await tenant.fetch('/api/v3/contacts/count')`. */
  readonly fetch: SimFetch;
  readonly faults: {
    /** Adds a rule before all others and returns its id. Throws `InputError` that names every mistake. */
    readonly add: (rule: RuleInput) => Promise<string>;
    readonly clear: () => void;
  };
  /** Applies a scenario: an object, a file or a name; one with a set-up resets the tenant. */
  readonly applyScenario: (scenario: NonNullable<SimOptions['scenario']>) => Promise<void>;
  readonly clock: SimClock;
  /** Judges its requests by its scenario, and how its client retried; or by these expectations alone. */
  readonly verdict: (expectations?: readonly ExpectationInput[]) => Promise<Verdict>;
  /** Returns its requests, the oldest first. */
  readonly requests: () => Exchange[];
  /** Returns all data of a contact, by id or member number. Throws `InputError` for an unknown contact. */
  readonly contact: (id: string) => Promise<ContactCard>;
  /** Resets it to its start: all of it, or these parts. Throws `InputError` for a part that there is not. */
  readonly reset: (...parts: readonly ResetScope[]) => void;
  /** Deletes it; `default` is only reset. */
  readonly close: () => void;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
}

/** Holds the services of a sim that tenant handles use. */
export interface SimServices {
  readonly tenants: TenantRegistry;
  readonly fetch: SimFetch;
  readonly faults: SimFaults;
  readonly verdict: SimVerdict;
  readonly applyScenario: (tenant: Tenant, scenario: SimOptions['scenario']) => Promise<void>;
  readonly adminKey: string | undefined;
  readonly url: () => string | undefined;
}

/** Returns a function that creates tenants for test code, with a free name if it gets none. */
export function tenantProvider(services: SimServices): (name?: string) => SimTenant {
  let created = 0;
  const freeName = (): string => {
    const name = `test-${++created}`;
    return services.tenants.get(name) ? freeName() : name;
  };
  return (name = freeName()) => {
    checkArgument('tenant', name, kinds.text);
    const reason = services.tenants.get(name) ? undefined : tenantRejectionReason(name, services.tenants);
    if (reason !== undefined) throw new InputError(reason);
    services.tenants.getOrCreate(name);
    return createTenantHandle(name, services);
  };
}

function createTenantHandle(
  name: string,
  { tenants, fetch, faults, verdict, applyScenario, adminKey, url }: SimServices,
): SimTenant {
  // Looked up each time: another scenario may have recreated the tenant.
  const own = () => tenants.getOrCreate(name);
  const reset = (...parts: readonly ResetScope[]): void => {
    for (const part of parts) checkWord('reset', part, resetScopes);
    const tenant = own();
    resetTenant(tenant, parts.length === 0 ? resetScopes : parts);
    finish(tenant.scheduler.runDueInSteps());
  };
  const close = (): void => {
    if (name === defaultTenantName) reset();
    else tenants.remove(name);
  };
  return rejectRenamedMembers('tenant', {
    name,
    get url() {
      const base = url();
      return base === undefined ? base : `${base}${tenantPrefix(name)}`;
    },
    fetch: (input, init) => fetch(requestOf(name, input, init)),
    faults: {
      add: (rule) => faults.add(rule, { tenant: name }),
      clear: () => faults.clear({ tenant: name }),
    },
    applyScenario: (scenario) => applyScenario(own(), scenario),
    clock: createSimClock(own),
    verdict: async (expectations) => verdict({ tenant: own().name, ...(expectations && { expectations }) }),
    requests: () => [...own().journal.exchanges()],
    contact: (id) => cardOf({ fetch, adminKey, tenant: name, id }),
    reset,
    close,
    [Symbol.asyncDispose]: async () => close(),
  });
}

interface CardOptions extends Pick<SimServices, 'fetch' | 'adminKey'> {
  readonly tenant: string;
  readonly id: string;
}

async function cardOf({ fetch, adminKey, tenant, id }: CardOptions): Promise<ContactCard> {
  const path = `/__admin/contacts/${encodeURIComponent(id)}/card?tenant=${tenant}`;
  const response = await fetch(path, adminKey === undefined ? {} : { headers: { 'x-sim-admin-key': adminKey } });
  // The control API responds with what it declares.
  const body = (await response.json()) as ContactCard & { readonly message: string };
  if (!response.ok) throw new InputError(`tenant ${tenant}, contact "${id}": ${body.message}`);
  return body;
}

/** Completes the URL of requests that only have a path. */
const anyBase = 'http://127.0.0.1';

export const toRequest = (input: string | URL | Request, init?: RequestInit): Request =>
  input instanceof Request && init === undefined
    ? input
    : new Request(typeof input === 'string' ? new URL(input, anyBase) : input, init);

/** Returns the request with the header that names the tenant. */
function requestOf(name: string, input: string | URL | Request, init: RequestInit = {}): Request {
  const headers = new Headers(init.headers ?? (input instanceof Request ? input.headers : undefined));
  headers.set('x-sim-tenant', name);
  return toRequest(input, { ...init, headers });
}
