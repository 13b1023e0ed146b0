import type { Tenant } from './tenant.ts';

/** What a tenant may be called: it is part of URLs and of saved files. */
export const tenantNamePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
export const defaultTenantName = 'default';
const maxTenants = 100_000;

/** The tenants of one sim, by name; `default` is always there. */
export class Tenants {
  readonly #byName = new Map<string, Tenant>();
  readonly #make: (name: string) => Tenant;
  readonly #onRemove: (tenant: Tenant) => void;

  /** `onRemove` is told before a tenant goes; when it throws, the tenant stays. */
  constructor(make: (name: string) => Tenant, onRemove: (tenant: Tenant) => void = () => {}) {
    this.#make = make;
    this.#onRemove = onRemove;
    this.obtain(defaultTenantName);
  }

  get default(): Tenant {
    return this.obtain(defaultTenantName);
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

  /** The tenant of this name, made from the fixtures when it is first asked for. */
  obtain(name: string): Tenant {
    return this.#byName.get(name) ?? this.add(this.#make(name));
  }

  add(tenant: Tenant): Tenant {
    this.#byName.set(tenant.name, tenant);
    return tenant;
  }

  /** Puts a tenant in the place of the one that bears its name. */
  replace(tenant: Tenant): void {
    this.#byName.get(tenant.name)?.close();
    this.add(tenant);
  }

  remove(name: string): boolean {
    const tenant = this.#byName.get(name);
    if (!tenant) return false;
    this.#onRemove(tenant);
    tenant.close();
    return this.#byName.delete(name);
  }

  [Symbol.iterator](): IterableIterator<Tenant> {
    return this.#byName.values();
  }
}
