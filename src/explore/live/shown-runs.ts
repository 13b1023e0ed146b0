/** Keeps the tenants of runs that showed a finding, so that somebody can look at them while exploring goes on. */
import type { Tenant } from '../../core/tenant/tenant.ts';

/** Limits the tenants that are kept at once: each holds a journal. */
const maxKept = 20;

export class ShownRuns {
  readonly #close: (tenant: Tenant) => void;
  readonly #tenants = new Map<string, Tenant>();

  constructor(close: (tenant: Tenant) => void) {
    this.#close = close;
  }

  /** Returns the name of the tenant that shows a finding. */
  nameFor(finding: string): string | undefined {
    return this.#tenants.get(finding)?.name;
  }

  /** True while the tenant shows a finding. */
  has(tenant: Tenant): boolean {
    return [...this.#tenants.values()].includes(tenant);
  }

  /** Keeps a tenant that shows a finding in the place of the one before. */
  keep(finding: string, tenant: Tenant): void {
    const before = this.#tenants.get(finding);
    if (!before && this.#tenants.size >= maxKept) return;
    this.#tenants.set(finding, tenant);
    // Nobody waits for what it has still to send.
    tenant.scheduler.holdQueue();
    if (before && before !== tenant && !this.has(before)) this.#close(before);
  }

  /** Closes all of them. */
  close(): void {
    for (const tenant of new Set(this.#tenants.values())) this.#close(tenant);
    this.#tenants.clear();
  }
}
