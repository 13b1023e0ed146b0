/** Tells the service what accounts hold: on a schedule, or when asked. */
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
  /** All accounts; only those that changed since the service was told unless given. */
  readonly full?: boolean | undefined;
  /** All tenants unless given. */
  readonly tenant?: string | undefined;
}

/** What became of one sync, call by call. */
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

/** Accounts with the total that the service is to be told of each. */
type Statement = readonly (readonly [LedgerAccount, { readonly amount: number; readonly at: Instant }])[];

/** The specification names no limit for balances; this is that of its other list of points. */
const maxItems = 1000;

export class BalanceSynchronizer {
  readonly #options: SyncOptions;
  readonly #closing = new AbortController();
  #last: Promise<unknown> = Promise.resolve();
  #callOff: () => void = () => {};

  constructor(options: SyncOptions) {
    this.#options = options;
  }

  /** Syncs from now on every so many ms of real time. */
  every(interval: number): void {
    this.#callOff = startTimer(interval, () => {
      void this.run().finally(() => {
        if (!this.#closing.signal.aborted) this.every(interval);
      });
    });
  }

  /** One sync at a time: totals that are older must not overtake newer ones. */
  run(request: SyncRequest = {}): Promise<SyncReport> {
    const run = this.#last.then(() => this.#run(request));
    this.#last = run.catch(() => {});
    return run;
  }

  /** Ends the schedule, and what is under way. */
  async close(): Promise<void> {
    this.#callOff();
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
    const items = statement.map(([account, total]) => itemOf(account, total));
    const posted = await postBalances(service, { tenant, items, signal: this.#closing.signal });
    const { isAccepted, ...told } = posted;
    if (isAccepted) for (const [account, total] of statement) ledger.markSynced(account, total);
    else ledger.markUnsynced(accounts);
    const outcome = isAccepted ? 'sent' : 'failed';
    const entry = { event: 'sync', at: now(tenant), tenant, items: items.length, outcome, ...told } as const;
    log.add(entry);
    return entry;
  }
}

/** What a fault makes of what is to be told; the master believes that it told everything. */
function applySyncFault(statement: Statement, fault: ActiveFault | undefined): Statement {
  if (fault?.fault === 'partial-sync') return statement.slice(0, Math.floor(statement.length / 2));
  if (fault?.fault !== 'stale-sync') return statement;
  return statement.map(([account, { at }]) => [
    account,
    account.told ?? { amount: 0, at: account.entries[0]?.transactionDate ?? at },
  ]);
}

const itemOf = ({ contactId, definitionId }: LedgerAccount, { amount, at }: Statement[number][1]): SyncedBalance => ({
  contactId,
  amount,
  definitionId,
  timeStamp: toTimestamp(at),
});
