import type { Instant } from '../core/time/clock.ts';
import type { PointMasterFaults } from './faults.ts';
import type { Ledger } from './ledger.ts';
import type { EventLog } from './event-log.ts';
import type { BalanceSynchronizer } from './balance-sync.ts';
import type { WebhookContract } from './webhook/read-webhook.ts';

/** What a master is made of. */
export interface Dependencies {
  readonly contract: WebhookContract;
  readonly ledger: Ledger;
  readonly log: EventLog;
  readonly faults: PointMasterFaults;
  /** Undefined when the master knows of no service to tell. */
  readonly sync: BalanceSynchronizer | undefined;
  /** The time that the ledger of a tenant is kept in. */
  readonly now: (tenant: string) => Instant;
  readonly showsPersonalData: boolean;
}
