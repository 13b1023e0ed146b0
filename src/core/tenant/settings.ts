import type { ClockSetting } from '../time/clock.ts';

/** Where a tenant tells others what happens in it. */
export interface WebhookSettings {
  readonly url: string;
  /** What payloads are encrypted with; none when they are sent as they are. */
  readonly key: string | undefined;
  /** What envelopes are signed with; none when they are not. */
  readonly secret: string | undefined;
  /** Kinds of events that are told beside those that always are. */
  readonly events: readonly string[];
}

/** How a tenant is set up; never part of its state, so that a reset leaves it alone. */
export interface TenantSettings {
  readonly seed: number;
  /** Who owns the points: the service, or an external point master that it follows. */
  readonly mode: 'standard' | 'point-follower';
  /** Assumptions in force other than the default: `{ "A-24": "twice" }`. */
  readonly assumptions: Readonly<Record<string, string>>;
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
