import * as z from 'zod';
import { endpointOf } from '../../core/endpoint.ts';
import type { Endpoint } from '../../core/endpoint.ts';
import { wholeFrom } from '../../core/page.ts';
import type { Tenant } from '../../core/tenant.ts';
import type { Tenants } from '../../core/tenants.ts';
import type { EventStream } from '../event-stream.ts';
import type { Master } from '../../master/master.ts';
import { text } from '../../resources/formats.ts';
import type { TenantSetup } from './tenants.ts';

/** What the control API works on. */
export interface Control {
  readonly tenants: Tenants;
  /** The service's endpoints. */
  readonly endpoints: readonly Endpoint[];
  /** Makes a tenant, set up as the sim is but for what is said here. Throws `InputError` when it can't be. */
  readonly makeTenant: (name: string, setup: TenantSetup) => Tenant;
  /** Makes one in the place of another: from its fixtures, set up as that one but for what is said here. */
  readonly makeTenantAnew: (old: Tenant, setup: TenantSetup) => Tenant;
  /** Whom `?tenant=` names, or `default`. */
  readonly tenant: Tenant;
  /** Where the sim is reached. */
  readonly serverUrl: string;
  /** The point master beside the sim, if any. */
  readonly master?: Pick<Master, 'sync'> | undefined;
  /** Those who read what happens. */
  readonly streams: Set<EventStream>;
  /** Puts down in the log what a person should know. */
  readonly note: (note: string) => void;
  /** Aborted when the caller hangs up. */
  readonly signal: AbortSignal;
}

export const controlEndpoint = endpointOf<Control>();

/** The query parameter of every call that is about one tenant. */
export const tenantParameter = { tenant: text.optional().describe('Whose; "default" unless given') };

export const tenantQuery = z.object(tenantParameter);

/** Query parameters of a list that can be long. */
export const pageParameters = {
  offset: wholeFrom(0).default(0).describe('How many to pass over'),
  limit: wholeFrom(1).max(1000, { error: 'must be at most 1000' }).default(100),
};
