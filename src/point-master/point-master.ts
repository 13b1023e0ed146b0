import { InputError } from '../core/lib/input-error.ts';
import { adjustAccount } from './http/admin-handlers.ts';
import type { LedgerAdjustment } from './http/admin-handlers.ts';
import type { PointMasterFaultRule } from './faults.ts';
import type { LedgerAccount } from './ledger.ts';
import type { PointMasterLogEntry } from './event-log.ts';
import { createRequestHandler } from './http/routes.ts';
import { startServer } from './http/server.ts';
import type { PointMasterServer } from './http/server.ts';
import { createDependencies } from './dependencies.ts';
import type { PointMasterOptions } from './options.ts';
import type { SyncReport, SyncRequest } from './balance-sync.ts';

export interface PointMaster {
  /** Holds the address for webhooks; undefined until it listens. */
  readonly url: string | undefined;
  /** Listens on a port (default: any free one). Rejects with Node's own error when that fails. */
  readonly listen: (options?: { readonly port?: number }) => Promise<{ readonly url: string; readonly port: number }>;
  /** Sends balances to the service. Rejects with an `InputError` when there is no `serviceUrl`. */
  readonly sync: (request?: SyncRequest) => Promise<SyncReport>;
  /** Returns accounts as they are now: of a tenant or all of them, of a contact or all of them. */
  readonly ledger: (of?: { readonly tenant?: string; readonly contactId?: string }) => readonly LedgerAccount[];
  /** Holds the latest events, the newest last. */
  readonly log: readonly PointMasterLogEntry[];
  /** Changes an account without an event, for example for a purchase at a till. Throws a `PointMasterError`. */
  readonly adjust: (change: LedgerAdjustment) => LedgerAccount;
  /** Replaces the fault rules. Throws an `InputError` that names every mistake. */
  readonly setFaults: (faults: readonly PointMasterFaultRule[]) => void;
  /** Forgets accounts and applied events, of a tenant or of all. */
  readonly reset: (tenant?: string) => void;
  readonly close: () => Promise<void>;
}

/** @deprecated It is called `createPointMaster`; this throws. */
export function createMaster(): never {
  throw new InputError('There is no createMaster; it is called "createPointMaster" now');
}

/**
 * Creates a point master: a program apart from the service that owns the points, applies its webhooks and sends it
 * balances. Throws an `InputError` that names every wrong option.
 *
 * @example
 * const master = createPointMaster({ key: '0123456789abcdef0123456789abcdef', serviceUrl: 'http://127.0.0.1:4010' });
 * const { url } = await master.listen({ port: 4020 });
 */
export function createPointMaster(options: PointMasterOptions = {}): PointMaster {
  const dependencies = createDependencies(options);
  const { ledger, log, faults, sync } = dependencies;
  const { host = '127.0.0.1', onInternalError = () => {}, adminKey, syncEvery } = options;
  if (options.onEvent) log.subscribe(options.onEvent);
  const closing = new AbortController();
  const handleRequest = createRequestHandler({
    dependencies,
    guard: { listenHost: host, adminKey },
    signal: closing.signal,
  });
  let served: PointMasterServer | undefined;
  return {
    listen: async ({ port = 0 } = {}) => {
      if (served) throw new InputError(`This point master is served already, at ${served.url}.`);
      served = await startServer({ host, port, handleRequest, onInternalError });
      for (const tenant of tenantsToOpen(options)) ledger.open(tenant);
      if (syncEvery !== undefined) sync?.every(syncEvery);
      return { url: served.url, port: served.port };
    },
    get url() {
      return served?.url;
    },
    sync: async (request) => {
      if (!sync) throw new InputError('serviceUrl: must be the address of the service, as http://127.0.0.1:4010');
      return sync.run(request);
    },
    adjust: (change) => adjustAccount(dependencies, change),
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

/** Copies an account, so that what a caller holds never changes. */
const copyOf = (account: LedgerAccount): LedgerAccount => ({ ...account, entries: [...account.entries] });

/** Lists the tenants whose opening balances are synced before the service has sent anything. */
function tenantsToOpen({ opening, tenant = 'default' }: PointMasterOptions): ReadonlySet<string> {
  if (typeof opening !== 'object') return new Set();
  return new Set([tenant, ...opening.flatMap((balance) => balance.tenant ?? [])]);
}
