/** What a tenant is made from. */
import type { ClockSetting } from '../time/clock.ts';
import type { WebhookSettings } from './webhook-outbox.ts';
import type { FaultPlan } from '../exchange/fault-plan.ts';
import type { JobHandlers } from '../time/jobs.ts';
import type { RowChange, State } from '../state/state.ts';
import type { Tenant } from './tenant.ts';

/** How a tenant is set up; never part of its state, so that a reset leaves it alone. */
export interface TenantSettings {
  readonly seed: number;
  /** Who owns the points: the service, or an external point master that it follows. */
  readonly mode: 'standard' | 'point-follower';
  /** Assumptions in force other than the default: `{ "A-24": "twice" }`. */
  readonly assume: Readonly<Record<string, string>>;
  /** How long queued work waits before it is done, in ms. */
  readonly queueDelay: number;
  readonly fieldValidation: 'ignore' | 'warn' | 'strict';
  readonly clock: ClockSetting;
  readonly journalBytes: number;
  /** Where it tells others what happens in it, if anywhere. */
  readonly webhook?: WebhookSettings | undefined;
  /** Where the external point master is asked for a contact's history. */
  readonly pointMasterUrl?: string | undefined;
}

/**
 * Takes a commit down before it counts: rows, sequences, or how the clock is set. Throws when it can't, and the
 * commit is undone.
 */
export type CommitHook = (tenant: Tenant, changes: readonly RowChange[], state: State) => void;

/** Does what follows from the changes of a piece of work, as a part of it. */
export type BeforeCommitHook = (tenant: Tenant, changes: readonly RowChange[]) => void;

export interface TenantOptions {
  readonly name: string;
  readonly settings: TenantSettings;
  readonly seedState: State;
  /** What to take up instead of the seed's state: the state saved by an earlier run. */
  readonly savedState?: State | undefined;
  /** How its clock was set then. */
  readonly savedClock?: ClockSetting | undefined;
  readonly handlers: JobHandlers;
  readonly faults?: FaultPlan | undefined;
  readonly beforeCommit?: BeforeCommitHook | undefined;
  readonly onCommit?: CommitHook | undefined;
}
