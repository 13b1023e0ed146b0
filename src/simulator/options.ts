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
  /** Keys of callers that are accepted (default: any key or none, A-01). */
  readonly apiKeys?: readonly string[] | undefined;
  /** Names tenants by path and header, or by key too (default: path). */
  readonly tenants?: 'path' | 'by-key' | undefined;
  /**
   * Scenario of every tenant, which options override: an object, a file, the name of a built-in scenario, or
   * several names and files as one.
   */
  readonly scenario?: ScenarioInput | string | readonly string[] | undefined;
  /** Rules for the client where the scenario has none: `{ maxAttempts: 4, minBackoff: '1s' }`. */
  readonly policy?: PolicyInput | undefined;
  /** Codes of warnings that fail the verdict, or `all` (default: none). */
  readonly failOnWarnings?: readonly string[] | undefined;
  /** Sets up tenants where neither an option nor the scenario does. */
  readonly defaults?: TenantDefaults | undefined;
  /** Largest size of the journal of a tenant, in bytes (default: 64 MiB). */
  readonly journalBytes?: number | undefined;
  /** Largest size of the journals of all tenants together, with the earlier states that are kept, in bytes (default: 512 MiB). Those called least recently drop requests first. */
  readonly totalJournalBytes?: number | undefined;
  /** Address to listen on, which the Host header must name (default: 127.0.0.1). */
  readonly host?: string | undefined;
  /** Key of the control API, which is off without one when `host` is not loopback. */
  readonly adminKey?: string | undefined;
  /** Folder that keeps large fixtures as they are loaded, so that later starts need not read them. */
  readonly fixtureCache?: string | undefined;
  /** File that keeps the state over restarts, and the clock too, unless `now` is given. */
  readonly data?: string | undefined;
  /** True to force each change to the disk before it is responded to (default: false, which does it once a second). */
  readonly durable?: boolean | undefined;
  /** True to take a saved state that was edited by hand (default: false, which refuses it). */
  readonly acceptEdits?: boolean | undefined;
  /** Folder whose `integration/transactionImport` takes receipts as XML files; other tenants have theirs in `t/<name>`. */
  readonly importFolder?: string | undefined;
  /** Port to serve that folder on by SFTP, as soon as the sim listens; 0 takes any free one. */
  readonly sftpPort?: number | undefined;
  /** Port to serve that folder on by FTP, as soon as the sim listens; 0 takes any free one. */
  readonly ftpPort?: number | undefined;
  /** User that may log in by SFTP and FTP (default: any user). */
  readonly importUser?: string | undefined;
  /** Password of that user (default: any password), which another host than loopback needs. */
  readonly importPassword?: string | undefined;
  /** Collector that traces go to by OTLP/HTTP, or `env` for that of the variables of OpenTelemetry. */
  readonly otlpEndpoint?: string | undefined;
  /** Called when a request completes, and again when a job that it queued is executed. */
  readonly onRequest?: ((tenant: Tenant, exchange: Exchange) => void) | undefined;
  /** Called for every event of the sim's own point master. */
  readonly onPointMasterEvent?: PointMasterOptions['onEvent'];
  /** Called with what a person should know and no response says: of the saved state, or of unreadable requests. */
  readonly onWarning?: ((message: string) => void) | undefined;
  /** Called with an error that should never happen. */
  readonly onInternalError?: ((error: unknown) => void) | undefined;
}
