import { ApiError } from '../../core/exchange/api-error.ts';
import { defaultTenantName, tenantNamePattern } from '../../core/tenant/registry.ts';
import type { Tenant } from '../../core/tenant/tenant.ts';
import type { TenantRegistry } from '../../core/tenant/registry.ts';
import { invalidFieldError, apiError } from '../../service/errors/catalog.ts';
import { headerOf, splitTenant, urlOf } from '../context.ts';
import type { AppContext, Precondition } from '../context.ts';

export interface TenancyOptions {
  readonly tenants: TenantRegistry;
  readonly tenantsBy: 'path' | 'by-key';
  /** Lists the keys that are accepted; any or none when the list is empty. */
  readonly apiKeys: readonly string[];
  /** Resolves when what a tenant starts from is saved, which its first write would do at once; undefined when it is. */
  readonly prepareWrite?: ((name: string) => Promise<unknown> | undefined) | undefined;
}

/**
 * Returns the name of the tenant that a key stands for: a digest, since names are shown and keys are not. Node's
 * cryptography is loaded at the first use, so that no start waits for it.
 */
export const tenantNameForKey = (key: string): string =>
  `key-${process.getBuiltinModule('node:crypto').createHash('sha256').update(key).digest('hex').slice(0, 12)}`;

const apiKeyOf = (c: AppContext): string | undefined => headerOf(c, 'apikey') ?? headerOf(c, 'x-api-key');

function requestedTenantName(c: AppContext, tenantsBy: TenancyOptions['tenantsBy']): string {
  const named = splitTenant(urlOf(c)).name ?? headerOf(c, 'x-sim-tenant');
  if (named !== undefined) return named;
  const key = tenantsBy === 'by-key' ? apiKeyOf(c) : undefined;
  return key === undefined ? defaultTenantName : tenantNameForKey(key);
}

/** Returns the reason why no tenant of this name can be created; undefined when one can. */
export function tenantRejectionReason(name: string, tenants: TenantRegistry): string | undefined {
  if (tenants.isFull) return 'there are too many tenants; remove some by DELETE /__admin/tenants/{name}';
  if (tenantNamePattern.test(name)) return undefined;
  return `"${name}" can't be a tenant's name: letters, digits, ".", "_" and "-", at most 64, a letter or digit first`;
}

const isAuthorized = (c: AppContext, apiKeys: readonly string[]): boolean =>
  apiKeys.length === 0 || apiKeys.includes(apiKeyOf(c) ?? '');

/** Explains why a request is not authorized; never repeats the key that was sent. */
const unauthorizedReason = (c: AppContext): string =>
  apiKeyOf(c)
    ? 'The key that was sent is none of those that the simulator was started with (--api-key).'
    : 'There is no key: send one in the header apikey (or x-api-key); Authorization and the query are not looked at.';

const mayBeCreated = (
  c: AppContext,
  name: string,
  { tenants, apiKeys }: TenancyOptions,
  guard: Precondition,
): boolean => passes(c, guard) && isAuthorized(c, apiKeys) && tenantRejectionReason(name, tenants) === undefined;

/** Resolves when the tenant of a request can be written to in little time; undefined when it can be at once. */
export function prepareTenant(
  c: AppContext,
  options: TenancyOptions,
  guard: Precondition,
): Promise<unknown> | undefined {
  const { tenants, tenantsBy, prepareWrite } = options;
  if (!prepareWrite || c.req.method === 'GET' || c.req.method === 'HEAD') return undefined;
  const name = requestedTenantName(c, tenantsBy);
  return tenants.get(name) || mayBeCreated(c, name, options, guard) ? prepareWrite(name) : undefined;
}

/**
 * Returns the request's tenant, which is created when it is first named. Where none may be created, it returns the
 * default tenant, and the guard or `authenticate` will reject the request.
 */
export function resolveTenant(c: AppContext, options: TenancyOptions, guard: Precondition): Tenant {
  const { tenants, tenantsBy } = options;
  const name = requestedTenantName(c, tenantsBy);
  const known = tenants.get(name);
  if (known) return known;
  return mayBeCreated(c, name, options, guard) ? tenants.getOrCreate(name) : tenants.default;
}

function passes(c: AppContext, check: Precondition): boolean {
  try {
    check(c);
    return true;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}

/** Rejects requests without an accepted key, or for a tenant that can't be created. */
export function authenticate({ tenants, tenantsBy, apiKeys }: TenancyOptions): Precondition {
  return function checkKeyAndTenant(c) {
    if (!isAuthorized(c, apiKeys)) throw apiError('Unauthorized', { message: unauthorizedReason(c) });
    const name = requestedTenantName(c, tenantsBy);
    if (name !== c.get('tenant').name)
      throw invalidFieldError('tenant', tenantRejectionReason(name, tenants) ?? 'is not there');
  };
}
