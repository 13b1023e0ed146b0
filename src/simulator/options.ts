import type { PointMasterOptions } from '../point-master/options.ts';
import type { Exchange } from '../core/exchange/exchange.ts';
import type { Tenant } from '../core/tenant/tenant.ts';
import type { OptionInputs } from '../core/validation/option-definition.ts';
import type { TenantOptionInputs } from '../service/settings/tenant-options.ts';
import type { webhookOptions } from '../webhooks/settings.ts';
import type { PolicyInput } from '../scenario/policy-schema.ts';
import type { ScenarioInput } from '../scenario/scenario-schema.ts';

/** Sets up tenants, by the options that a tenant has. */
export type TenantDefaults = TenantOptionInputs;

/** Sets up a sim; everything has a default. */
export interface SimOptions extends TenantOptionInputs, OptionInputs<typeof webhookOptions> {
  /** Starts a fake point master on a port of its own, and follows it. */
  readonly withPointMaster?: boolean | undefined;
  /** Lists the keys of callers that are accepted (default: any key or none, A-01). */
  readonly apiKeys?: readonly string[] | undefined;
  /** Names tenants by path and header, or by key too (default: path). */
  readonly tenants?: 'path' | 'by-key' | undefined;
  /**
   * Sets the scenario of every tenant, which options override: an object, a file, the name of a built-in scenario, or
   * several names and files as one.
   */
  readonly scenario?: ScenarioInput | string | readonly string[] | undefined;
  /** Sets rules for the client where the scenario has none: `{ maxAttempts: 4, minBackoff: '1s' }`. */
  readonly policy?: PolicyInput | undefined;
  /** Lists codes of warnings that fail the verdict, or `all` (default: none). */
  readonly failOnWarnings?: readonly string[] | undefined;
  /** Sets up tenants where neither an option nor the scenario does. */
  readonly defaults?: TenantDefaults | undefined;
  /** Limits the size of the journal of a tenant, in bytes (default: 64 MiB). */
  readonly journalBytes?: number | undefined;
  /**
   * Limits the size of the journals of all tenants together, with the earlier states that are kept, in bytes (default:
   * 512 MiB). Those called least recently drop requests first.
   */
  readonly totalJournalBytes?: number | undefined;
  /** Sets the address to listen on, which the Host header must name (default: 127.0.0.1). */
  readonly host?: string | undefined;
  /** Sets the key of the control API, which is off without one when `host` is not loopback. */
  readonly adminKey?: string | undefined;
  /** Names the folder that keeps large fixtures as they are loaded, so that later starts need not read them. */
  readonly fixtureCache?: string | undefined;
  /** Names the file that keeps the state over restarts, and the clock too, unless `now` is given. */
  readonly data?: string | undefined;
  /** True to force each change to the disk before it is responded to (default: false, which does it once a second). */
  readonly durable?: boolean | undefined;
  /** True to take a saved state that was edited by hand (default: false, which refuses it). */
  readonly acceptEdits?: boolean | undefined;
  /**
   * Names the folder whose `integration/transactionImport` takes receipts as XML files; other tenants have theirs in
   * `t/<name>`.
   */
  readonly importFolder?: string | undefined;
  /** Sets the port on which that folder is served by SFTP, as soon as the sim listens; 0 takes any free one. */
  readonly sftpPort?: number | undefined;
  /** Sets the port on which that folder is served by FTP, as soon as the sim listens; 0 takes any free one. */
  readonly ftpPort?: number | undefined;
  /** Names the user that may log in by SFTP and FTP (default: any user). */
  readonly importUser?: string | undefined;
  /** Sets the password of that user (default: any password), which another host than loopback needs. */
  readonly importPassword?: string | undefined;
  /** Names the collector that traces go to by OTLP/HTTP, or is `env` for that of the variables of OpenTelemetry. */
  readonly otlpEndpoint?: string | undefined;
  /** Is called when a request completes, and again when a job that it queued is executed. */
  readonly onRequest?: ((tenant: Tenant, exchange: Exchange) => void) | undefined;
  /** Is called for every event of the sim's own point master. */
  readonly onPointMasterEvent?: PointMasterOptions['onEvent'];
  /** Is called with what a person should know and no response says: of the saved state, or of unreadable requests. */
  readonly onWarning?: ((message: string) => void) | undefined;
  /** Is called with an error that should never happen. */
  readonly onInternalError?: ((error: unknown) => void) | undefined;
}
