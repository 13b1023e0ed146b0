/** Sends the balances of accounts to the service, on a schedule or on request. */
import { startTimer, toTimestamp } from '../core/time/clock.ts';
import type { Instant } from '../core/time/clock.ts';
import type { PointMasterFaults, ActiveFault } from './faults.ts';
import type { Ledger, LedgerAccount } from './ledger.ts';
import type { EventLog, SyncEntry } from './event-log.ts';
import { waitOrAbort } from './wait.ts';
import { postBalances } from './service-client.ts';
import type { ServiceConnection } from './service-client.ts';
import type { SyncedBalance } from './schemas.ts';

export interface SyncRequest {
  /** Sends all accounts (default: only those that changed since the last sync). */
  readonly full?: boolean | undefined;
  /** Names the tenant to sync (default: all tenants). */
  readonly tenant?: string | undefined;
}

/** Reports the result of one sync, request by request. */
export interface SyncReport {
  readonly isComplete: boolean;
  readonly items: number;
  readonly calls: readonly SyncEntry[];
}

interface SyncOptions {
  readonly service: ServiceConnection;
  readonly ledger: Ledger;
  readonly faults: PointMasterFaults;
  readonly log: EventLog;
  readonly now: (tenant: string) => Instant;
}

/** Pairs each account with the total that the service receives. */
type Statement = readonly (readonly [LedgerAccount, { readonly amount: number; readonly at: Instant }])[];

/** The specification names no limit for balances, so the limit of its other list of points applies. */
const maxItems = 1000;

export class BalanceSynchronizer {
  readonly #options: SyncOptions;
  readonly #closing = new AbortController();
  #last: Promise<unknown> = Promise.resolve();
  #cancelTimer: () => void = () => {};

  constructor(options: SyncOptions) {
    this.#options = options;
  }

  /** Starts a sync every `interval` ms of real time. */
  every(interval: number): void {
    this.#cancelTimer = startTimer(interval, () => {
      void this.run().finally(() => {
        if (!this.#closing.signal.aborted) this.every(interval);
      });
    });
  }

  /** Runs one sync at a time, because older totals must not overtake newer ones. */
  run(request: SyncRequest = {}): Promise<SyncReport> {
    const run = this.#last.then(() => this.#run(request));
    this.#last = run.catch(() => {});
    return run;
  }

  /** Stops the schedule and aborts a sync that is running. */
  async close(): Promise<void> {
    this.#cancelTimer();
    this.#closing.abort();
    await this.#last;
  }

  async #run({ full = false, tenant }: SyncRequest): Promise<SyncReport> {
    const { ledger } = this.#options;
    const calls: SyncEntry[] = [];
    for (const name of tenant === undefined ? ledger.tenants : [tenant]) {
      const changed = ledger.takeUnsynced(name);
      const accounts = full ? ledger.accounts({ tenant: name }) : changed;
      for (let i = 0; i < accounts.length; i += maxItems) {
        calls.push(...(await this.#send(name, accounts.slice(i, i + maxItems))));
      }
    }
    const items = calls.reduce((sum, call) => sum + call.items, 0);
    return { isComplete: calls.every(({ outcome }) => outcome === 'sent'), items, calls };
  }

  async #send(tenant: string, accounts: readonly LedgerAccount[]): Promise<SyncEntry[]> {
    const fault = this.#options.faults.select('sync', tenant);
    if (fault)
      this.#options.log.add({ event: 'fault', at: this.#options.now(tenant), fault: fault.fault, during: 'sync' });
    const at = this.#options.now(tenant);
    const statement = applySyncFault(
      accounts.map((account) => [account, { amount: account.balance, at }]),
      fault,
    );
    if (fault?.fault === 'late-sync') await waitOrAbort(fault.delay ?? 0, this.#closing.signal);
    const first = await this.#post(tenant, statement, accounts);
    return fault?.fault === 'repeated-sync' ? [first, await this.#post(tenant, statement, accounts)] : [first];
  }

  async #post(tenant: string, statement: Statement, accounts: readonly LedgerAccount[]): Promise<SyncEntry> {
    const { service, ledger, log, now } = this.#options;
    const items = statement.map(([account, total]) => toSyncedBalance(account, total));
    const posted = await postBalances(service, { tenant, items, signal: this.#closing.signal });
    const { isAccepted, ...result } = posted;
    if (isAccepted) for (const [account, total] of statement) ledger.markSynced(account, total);
    else ledger.markUnsynced(accounts);
    const outcome = isAccepted ? 'sent' : 'failed';
    const entry = { event: 'sync', at: now(tenant), tenant, items: items.length, outcome, ...result } as const;
    log.add(entry);
    return entry;
  }
}

/** Applies a sync fault to a statement; the point master still believes that it sent everything. */
function applySyncFault(statement: Statement, fault: ActiveFault | undefined): Statement {
  if (fault?.fault === 'partial-sync') return statement.slice(0, Math.floor(statement.length / 2));
  if (fault?.fault !== 'stale-sync') return statement;
  return statement.map(([account, { at }]) => [
    account,
    account.lastSync ?? { amount: 0, at: account.entries[0]?.transactionDate ?? at },
  ]);
}

const toSyncedBalance = (
  { contactId, definitionId }: LedgerAccount,
  { amount, at }: Statement[number][1],
): SyncedBalance => ({
  contactId,
  amount,
  definitionId,
  timeStamp: toTimestamp(at),
});
