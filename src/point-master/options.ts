import type { Instant } from '../core/time/clock.ts';
import type { PointMasterLogEntry } from './event-log.ts';
import type { FaultSource, PointMasterFaultRule } from './faults.ts';
import type { OpeningBalance } from './ledger.ts';
import type { EncryptionProfile } from './webhook/decrypt.ts';

/** Sets up a point master. */
export interface PointMasterOptions {
  /** Sets the key of 32 characters, as entered in the service; several while it is rotated. `plain` needs none. */
  readonly key?: string | readonly string[] | undefined;
  /** Sets the secret, `whsec_` and base64; several while it is rotated. Without one, signatures are not checked. */
  readonly secret?: string | readonly string[] | undefined;
  /** Sets how payloads are encrypted (default: `aes-256-cbc`). */
  readonly encryption?: EncryptionProfile | undefined;
  /** Sets how far a signature's time stamp may be from real time, in ms (default: five minutes). */
  readonly timestampTolerance?: number | 'off' | undefined;
  /** Sets the address to listen on (default: 127.0.0.1). */
  readonly host?: string | undefined;
  /** Protects the control requests; without it they are off where others can reach the host. */
  readonly adminKey?: string | undefined;
  /** Names the service, as `http://127.0.0.1:4010`; without it nothing can be synced. */
  readonly serviceUrl?: string | (() => string | undefined) | undefined;
  /** Sets the header `apikey` of requests to the service. */
  readonly apiKey?: string | undefined;
  /** Names the only tenant whose webhooks are accepted (default: any). */
  readonly tenant?: string | undefined;
  /** Sets how often changes are sent to the service, in ms of real time (default: only on `sync`). */
  readonly syncEvery?: number | undefined;
  /** Sets the pause before the first retry, in ms (default: 250); it doubles with each. */
  readonly retryPause?: number | undefined;
  /** Sets the opening balances of accounts (default: none). A balance without a tenant applies to every tenant. */
  readonly opening?: readonly OpeningBalance[] | ((tenant: string) => readonly OpeningBalance[]) | undefined;
  /** Names the file that keeps the ledger, so that the next start goes on there (default: none). */
  readonly data?: string | undefined;
  /** Sets the fault rules. */
  readonly faults?: readonly PointMasterFaultRule[] | undefined;
  /** Selects a fault for each request that none of `faults` hits. */
  readonly faultSource?: FaultSource | undefined;
  /** Seeds the probability of faults. */
  readonly seed?: number | undefined;
  /** Lets the log have names, addresses and other texts of payloads (default: false). */
  readonly showPersonalData?: boolean | undefined;
  /** Returns the time of a tenant's ledger, in ms since 1970 (default: real time). */
  readonly now?: ((tenant: string) => Instant) | undefined;
  /** Receives every event. */
  readonly onEvent?: ((entry: PointMasterLogEntry) => void) | undefined;
  /** Receives errors that should never happen. */
  readonly onInternalError?: ((error: unknown) => void) | undefined;
}
