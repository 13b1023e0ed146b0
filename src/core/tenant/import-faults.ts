import type { Instant } from '../time/clock.ts';
import type { TenantContext } from './context.ts';

/** Describes an injected fault of the import of files. */
export type ImportFault =
  /** Counts on the tenant's clock, in ms. */
  | { readonly kind: 'late'; readonly by: number }
  | { readonly kind: 'fail' | 'refuse' }
  /** Ends all uploads when so many bytes of one have arrived. */
  | { readonly kind: 'break'; readonly after: number };

/** Names what a fault of the import hits. */
export type ImportStage = 'batch' | 'file' | 'upload';

/** Holds a batch, a file of it, or an upload, as rules see it. */
export interface ImportStep {
  readonly stage: ImportStage;
  /** Holds the name of the file; empty for a batch. */
  readonly name: string;
  readonly tenant: TenantContext;
}

/** Says what goes wrong with a tenant's import. */
export interface ImportFaultPlan {
  /** Returns the fault that hits a step, if any, and the id of its rule; counts the step. */
  readonly select: (
    step: ImportStep,
    now: Instant,
  ) => { readonly rule: string; readonly fault: ImportFault } | undefined;
}
