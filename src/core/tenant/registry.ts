import type { Tenant } from './tenant.ts';
import { Signal } from '../lib/signal.ts';

/** Matches a valid tenant name, which is part of URLs and of saved files. */
export const tenantNamePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
export const defaultTenantName = 'default';

/** Returns what the paths of a tenant begin with: `/t/shop-7`, nothing for the default tenant. */
export const tenantPrefix = (name: string): string => (name === defaultTenantName ? '' : `/t/${name}`);

const maxTenants = 100_000;

/** `replaced`: the tenant stands in the place of another of its name. */
export interface TenantChange {
  readonly kind: 'created' | 'replaced' | 'deleted';
  readonly tenant: Tenant;
}

/** Holds the tenants of one sim, by name; `default` is always there. */
export class TenantRegistry {
  readonly changes = new Signal<TenantChange>();
  readonly #byName = new Map<string, Tenant>();
  readonly #createTenant: (name: string) => Tenant;
  readonly #onRemove: (tenant: Tenant) => void;

  /** `onRemove` is called before a tenant goes; when it throws, the tenant stays. */
  constructor(make: (name: string) => Tenant, onRemove: (tenant: Tenant) => void = () => {}) {
    this.#createTenant = make;
    this.#onRemove = onRemove;
    this.getOrCreate(defaultTenantName);
  }

  get default(): Tenant {
    return this.getOrCreate(defaultTenantName);
  }

  get size(): number {
    return this.#byName.size;
  }

  get isFull(): boolean {
    return this.#byName.size >= maxTenants;
  }

  get(name: string): Tenant | undefined {
    return this.#byName.get(name);
  }

  /** Returns the tenant of this name, made from the fixtures when it is first asked for. */
  getOrCreate(name: string): Tenant {
    return this.#byName.get(name) ?? this.add(this.#createTenant(name));
  }

  add(tenant: Tenant): Tenant {
    this.#byName.set(tenant.name, tenant);
    this.changes.emit({ kind: 'created', tenant });
    return tenant;
  }

  /** Puts a tenant in the place of the one that bears its name. */
  replace(tenant: Tenant): void {
    this.#byName.get(tenant.name)?.close();
    this.#byName.set(tenant.name, tenant);
    this.changes.emit({ kind: 'replaced', tenant });
  }

  remove(name: string): boolean {
    const tenant = this.#byName.get(name);
    if (!tenant) return false;
    this.#onRemove(tenant);
    tenant.close();
    this.#byName.delete(name);
    this.changes.emit({ kind: 'deleted', tenant });
    return true;
  }

  [Symbol.iterator](): IterableIterator<Tenant> {
    return this.#byName.values();
  }
}
