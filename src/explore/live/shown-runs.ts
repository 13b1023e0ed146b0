/** Keeps the tenants of runs that showed a finding, so that somebody can look at them while exploring goes on. */
import type { Tenant } from '../../core/tenant/tenant.ts';

/** Limits the tenants that are kept at once: each holds a journal. */
const maxKept = 20;

export class ShownRuns {
  readonly #close: (tenant: Tenant) => void;
  readonly #tenants = new Map<string, Tenant>();
  /** Holds tenants that another one took the place of, the oldest first: somebody may look at them. */
  readonly #replaced = new Set<Tenant>();

  constructor(close: (tenant: Tenant) => void) {
    this.#close = close;
  }

  /** Returns the name of the tenant that shows a finding. */
  nameFor(finding: string): string | undefined {
    return this.#tenants.get(finding)?.name;
  }

  /** True while the tenant is kept. */
  has(tenant: Tenant): boolean {
    return this.#kept().has(tenant);
  }

  /** Keeps a tenant that shows a finding in the place of the one before, which stays as long as there is room. */
  keep(finding: string, tenant: Tenant): void {
    const before = this.#tenants.get(finding);
    if (!before && this.#tenants.size >= maxKept) return;
    this.#tenants.set(finding, tenant);
    // Nobody waits for what it has still to send.
    tenant.scheduler.holdQueue();
    if (before && before !== tenant) this.#replaced.add(before);
    this.#makeRoom();
  }

  /** Keeps the tenant of a finding under another name of it. */
  rename(finding: string, name: string): void {
    const tenant = this.#tenants.get(finding);
    this.#tenants.delete(finding);
    if (tenant) this.keep(name, tenant);
  }

  /** Closes all of them. */
  close(): void {
    for (const tenant of this.#kept()) this.#close(tenant);
    this.#tenants.clear();
    this.#replaced.clear();
  }

  #kept(): Set<Tenant> {
    return new Set([...this.#tenants.values(), ...this.#replaced]);
  }

  #makeRoom(): void {
    const shown = new Set(this.#tenants.values());
    for (const tenant of this.#replaced) {
      if (this.#kept().size <= maxKept) return;
      this.#replaced.delete(tenant);
      if (!shown.has(tenant)) this.#close(tenant);
    }
  }
}
