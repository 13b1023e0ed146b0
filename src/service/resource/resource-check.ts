import type { Tenant } from '../../core/tenant/tenant.ts';
import type { Steps } from '../../core/time/steps.ts';

/** Says how something went that no single request answers for, as the verdict lists it. */
export interface ResourceCheck {
  readonly description: string;
  readonly verdict: 'PASS' | 'FAIL';
  readonly reason: string;
  /** Holds the ids of the requests that it rests on. */
  readonly requests: readonly string[];
}

/** Finds these in a tenant; none where nothing of the kind happened. */
export type ResourceChecks = (tenant: Tenant) => Steps<ResourceCheck[]>;
