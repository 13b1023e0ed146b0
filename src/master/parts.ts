import type { Instant } from '../core/clock.ts';
import type { Faults } from './faults.ts';
import type { Ledger } from './ledger.ts';
import type { Log } from './log.ts';
import type { Sync } from './sync.ts';
import type { Contract } from './webhook.ts';

/** What a master is made of. */
export interface Parts {
  readonly contract: Contract;
  readonly ledger: Ledger;
  readonly log: Log;
  readonly faults: Faults;
  /** Undefined when the master knows of no service to tell. */
  readonly sync: Sync | undefined;
  /** The time that the ledger of a tenant is kept in. */
  readonly now: (tenant: string) => Instant;
  readonly showsPersonalData: boolean;
}
