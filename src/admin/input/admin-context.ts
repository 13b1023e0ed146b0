import * as z from 'zod';
import { endpointFor } from '../../core/exchange/endpoint.ts';
import type { Endpoint } from '../../core/exchange/endpoint.ts';
import { integerParameter } from '../../core/exchange/pagination.ts';
import type { Tenant } from '../../core/tenant/tenant.ts';
import type { TenantRegistry } from '../../core/tenant/registry.ts';
import type { EventStream } from '../events/event-stream.ts';
import type { PointMaster } from '../../point-master/point-master.ts';
import { text } from '../../core/validation/field-types.ts';
import type { TenantSetup } from '../tenants.ts';

/** What the control API works on. */
export interface AdminContext {
  readonly tenants: TenantRegistry;
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
  readonly master?: Pick<PointMaster, 'sync'> | undefined;
  /** Those who read what happens. */
  readonly streams: Set<EventStream>;
  /** Puts down in the log what a person should know. */
  readonly note: (note: string) => void;
  /** Aborted when the caller hangs up. */
  readonly signal: AbortSignal;
}

export const adminEndpoint = endpointFor<AdminContext>();

/** The query parameter of every call that is about one tenant. */
export const tenantParameter = { tenant: text.optional().describe('Whose; "default" unless given') };

export const tenantQuery = z.object(tenantParameter);

/** Query parameters of a list that can be long. */
export const pageParameters = {
  offset: integerParameter(0).default(0).describe('How many to pass over'),
  limit: integerParameter(1).max(1000, { error: 'must be at most 1000' }).default(100),
};
