import type { Instant } from '../core/time/clock.ts';
import { InputError } from '../core/lib/input-error.ts';
import { adjustAccount } from './http/admin-handlers.ts';
import type { LedgerAdjustment } from './http/admin-handlers.ts';
import type { EncryptionProfile } from './webhook/decrypt.ts';
import type { FaultSource, PointMasterFaultRule } from './faults.ts';
import type { LedgerAccount, OpeningBalance } from './ledger.ts';
import type { PointMasterLogEntry } from './event-log.ts';
import { createRequestHandler } from './http/routes.ts';
import { startServer } from './http/server.ts';
import type { PointMasterServer } from './http/server.ts';
import { createDependencies } from './create-dependencies.ts';
import type { SyncReport, SyncRequest } from './balance-sync.ts';

/** How a point master is set up. */
export interface PointMasterOptions {
  /** 32 characters, as entered in the service; several while one is being changed. Needed unless `encryption` is `plain`. */
  readonly key?: string | readonly string[] | undefined;
  /** `whsec_` and base64; several while one is being changed. Signatures are not checked without one. */
  readonly secret?: string | readonly string[] | undefined;
  /** `aes-256-cbc` unless given. */
  readonly encryption?: EncryptionProfile | undefined;
  /** How far the time stamp of a signature may be from real time, in ms; five minutes unless given. */
  readonly timestampTolerance?: number | 'off' | undefined;
  /** The address to listen on; 127.0.0.1 unless given. */
  readonly host?: string | undefined;
  /** Asked for by calls that are no part of the contract; those are off without one where others can reach the host. */
  readonly adminKey?: string | undefined;
  /** Where the service is, as `http://127.0.0.1:4010`; without it nothing can be synced. */
  readonly serviceUrl?: string | (() => string | undefined) | undefined;
  /** Sent to the service in the header `apikey`. */
  readonly apiKey?: string | undefined;
  /** The only tenant whose webhooks are taken; any unless given. */
  readonly tenant?: string | undefined;
  /** Tells the service what changed every so many ms of real time; only when asked to unless given. */
  readonly syncEvery?: number | undefined;
  /** The pause before a call of the service is tried again, in ms; 250 unless given, and doubled with each. */
  readonly retryPause?: number | undefined;
  /** What accounts start with: nothing unless given. Those without a tenant are every tenant's. */
  readonly opening?: readonly OpeningBalance[] | ((tenant: string) => readonly OpeningBalance[]) | undefined;
  /** What is to go wrong. */
  readonly faults?: readonly PointMasterFaultRule[] | undefined;
  /** Asked what is to go wrong with each call that none of `faults` strikes: one plan more, kept by somebody else. */
  readonly faultSource?: FaultSource | undefined;
  /** What the chance of faults follows from. */
  readonly seed?: number | undefined;
  /** Whether the log may have names, addresses and other texts of payloads. */
  readonly showPersonalData?: boolean | undefined;
  /** The time that the ledger of a tenant is kept in, in ms since 1970; real time unless given. */
  readonly now?: ((tenant: string) => Instant) | undefined;
  /** Told of everything that happens. */
  readonly onEvent?: ((entry: PointMasterLogEntry) => void) | undefined;
  /** Told of what should never happen. */
  readonly onInternalError?: ((error: unknown) => void) | undefined;
}

export interface PointMaster {
  /** Where it is served, once it is: webhooks go to this address. */
  readonly url: string | undefined;
  /** Serves on a port; any free one unless given. Rejects with Node's error when that can't be. */
  readonly listen: (options?: { readonly port?: number }) => Promise<{ readonly url: string; readonly port: number }>;
  /** Tells the service what accounts hold. Rejects with an `InputError` when there is no `serviceUrl`. */
  readonly sync: (request?: SyncRequest) => Promise<SyncReport>;
  /** Accounts as they are now: of a tenant or all of them, of a contact or all of them. */
  readonly ledger: (of?: { readonly tenant?: string; readonly contactId?: string }) => readonly LedgerAccount[];
  /** What happened lately, the newest last. */
  readonly log: readonly PointMasterLogEntry[];
  /** Changes an account for a reason of the master's own, such as a purchase at a till. Throws a `Refusal`. */
  readonly adjust: (change: LedgerAdjustment) => LedgerAccount;
  /** Replaces what is to go wrong. Throws an `InputError` that names every mistake. */
  readonly setFaults: (faults: readonly PointMasterFaultRule[]) => void;
  /** Forgets accounts and applied events, of a tenant or of all. */
  readonly reset: (tenant?: string) => void;
  readonly close: () => Promise<void>;
}

/**
 * Makes a point master: a program beside the service that owns the points, follows its webhook and tells it balances.
 * Throws an `InputError` that names every option that can't be.
 *
 * @example
 * const master = createPointMaster({ key: '0123456789abcdef0123456789abcdef', serviceUrl: 'http://127.0.0.1:4010' });
 * const { url } = await master.listen({ port: 4020 });
 */
export function createPointMaster(options: PointMasterOptions = {}): PointMaster {
  const parts = createDependencies(options);
  const { ledger, log, faults, sync } = parts;
  const { host = '127.0.0.1', onInternalError = () => {}, adminKey, syncEvery } = options;
  if (options.onEvent) log.subscribe(options.onEvent);
  const closing = new AbortController();
  const answer = createRequestHandler({ parts, guard: { listenHost: host, adminKey }, signal: closing.signal });
  let served: PointMasterServer | undefined;
  return {
    listen: async ({ port = 0 } = {}) => {
      if (served) throw new InputError(`This point master is served already, at ${served.url}.`);
      served = await startServer({ host, port, answer, onInternalError });
      for (const tenant of tenantsToOpen(options)) ledger.open(tenant);
      if (syncEvery !== undefined) sync?.every(syncEvery);
      return { url: served.url, port: served.port };
    },
    get url() {
      return served?.url;
    },
    sync: async (request) => {
      if (!sync) throw new InputError('serviceUrl: expected where the service is, as http://127.0.0.1:4010');
      return sync.run(request);
    },
    adjust: (change) => adjustAccount(parts, change),
    ledger: (of) => ledger.accounts(of).map(copyOf),
    get log() {
      return log.entries;
    },
    setFaults: (rules) => faults.set(rules),
    reset: (tenant) => ledger.reset(tenant),
    close: async () => {
      closing.abort();
      await Promise.all([served?.close(), sync?.close()]);
    },
  };
}

/** So that what a caller holds stays as it was. */
const copyOf = (account: LedgerAccount): LedgerAccount => ({ ...account, entries: [...account.entries] });

/** Whose opening balances the service is told of before it has sent anything. */
function tenantsToOpen({ opening, tenant = 'default' }: PointMasterOptions): ReadonlySet<string> {
  if (typeof opening !== 'object') return new Set();
  return new Set([tenant, ...opening.flatMap((balance) => balance.tenant ?? [])]);
}
