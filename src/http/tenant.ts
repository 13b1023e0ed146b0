import { Refusal } from '../core/errors.ts';
import { defaultTenantName, tenantNamePattern } from '../core/tenants.ts';
import type { Tenant } from '../core/tenant.ts';
import type { Tenants } from '../core/tenants.ts';
import { invalidField, refusal } from '../resources/refusals.ts';
import { headerOf, splitTenant, urlOf } from './context.ts';
import type { AppContext, Check } from './context.ts';

export interface TenantOptions {
  readonly tenants: Tenants;
  readonly tenantsBy: 'path' | 'by-key';
  /** When there are any, only these are let in. */
  readonly apiKeys: readonly string[];
}

/**
 * The tenant that a key stands for: told by a digest, since names are shown and keys are not. Few need one, so
 * no start waits for Node's cryptography to be loaded.
 */
export const tenantOfKey = (key: string): string =>
  `key-${process.getBuiltinModule('node:crypto').createHash('sha256').update(key).digest('hex').slice(0, 12)}`;

const keyOf = (c: AppContext): string | undefined => headerOf(c, 'apikey') ?? headerOf(c, 'x-api-key');

function nameOf(c: AppContext, tenantsBy: TenantOptions['tenantsBy']): string {
  const named = splitTenant(urlOf(c)).name ?? headerOf(c, 'x-sim-tenant');
  if (named !== undefined) return named;
  const key = tenantsBy === 'by-key' ? keyOf(c) : undefined;
  return key === undefined ? defaultTenantName : tenantOfKey(key);
}

/** Why there can't be another tenant, of this name; undefined when there can. */
export function tenantObstacle(name: string, tenants: Tenants): string | undefined {
  if (tenants.isFull) return 'there are too many tenants; remove some by DELETE /__admin/tenants/{name}';
  if (tenantNamePattern.test(name)) return undefined;
  return `"${name}" can't be a tenant's name: letters, digits, ".", "_" and "-", at most 64, a letter or digit first`;
}

const isWelcome = (c: AppContext, apiKeys: readonly string[]): boolean =>
  apiKeys.length === 0 || apiKeys.includes(keyOf(c) ?? '');

/** What to tell a person who is not let in; the key that was sent is not repeated. */
const whyUnwelcome = (c: AppContext): string =>
  keyOf(c)
    ? 'The key that was sent is none of those that the simulator was started with (--api-key).'
    : 'There is no key: send one in the header apikey (or x-api-key); Authorization and the query are not looked at.';

/**
 * Whose call it is; a tenant is made when it is first named. Where none may be made, the guard or `admit` will refuse
 * the call.
 */
export function findTenant(c: AppContext, { tenants, tenantsBy, apiKeys }: TenantOptions, guard: Check): Tenant {
  const name = nameOf(c, tenantsBy);
  const known = tenants.get(name);
  if (known) return known;
  const mayBeMade = passes(c, guard) && isWelcome(c, apiKeys) && tenantObstacle(name, tenants) === undefined;
  return mayBeMade ? tenants.obtain(name) : tenants.default;
}

function passes(c: AppContext, check: Check): boolean {
  try {
    check(c);
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

/** Lets in who may come in: with a known key, and as a tenant that there can be. */
export function admit({ tenants, tenantsBy, apiKeys }: TenantOptions): Check {
  return function letIn(c) {
    if (!isWelcome(c, apiKeys)) throw refusal('Unauthorized', { message: whyUnwelcome(c) });
    const name = nameOf(c, tenantsBy);
    if (name !== c.get('tenant').name) throw invalidField('tenant', tenantObstacle(name, tenants) ?? 'is not there');
  };
}
