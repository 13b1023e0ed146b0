import type { ClockSetting } from '../time/clock.ts';

/** Configures the webhook of a tenant. */
export interface WebhookSettings {
  readonly url: string;
  /** Holds the key that encrypts payloads; none when they are sent in the clear. */
  readonly key: string | undefined;
  /** Holds the secret that signs envelopes; none when they are not signed. */
  readonly secret: string | undefined;
  /** Lists the kinds of events that are sent in addition to those that always are. */
  readonly events: readonly string[];
}

/** Configures a tenant; never part of its state, so that a reset leaves it alone. */
export interface TenantSettings {
  readonly seed: number;
  /** Says who owns the points: the service, or an external point master that it follows. */
  readonly mode: 'standard' | 'point-follower';
  /** Holds the assumptions in force other than the default: `{ "A-24": "twice" }`. */
  readonly assumptions: Readonly<Record<string, string>>;
  /** Holds the delay of queued jobs in ms. */
  readonly queueDelay: number;
  /** Holds the time between two batches that import files, in ms. */
  readonly importEvery: number;
  readonly fieldValidation: 'ignore' | 'warn' | 'strict';
  readonly clock: ClockSetting;
  readonly journalBytes: number;
  /** Holds the webhook that it sends events to, if any. */
  readonly webhook?: WebhookSettings | undefined;
  /** Holds the address of the external point master, which knows a contact's history. */
  readonly pointMasterUrl?: string | undefined;
}
