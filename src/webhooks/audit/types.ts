/** Types of the records exchanged with a point master, on which a report rests. */
import type { WebhookDelivery } from '../../core/tenant/webhook-outbox.ts';
import type { ReceivedBalance } from './account.ts';

/** Describes an adjustment by its delivery. */
export interface AuditedAdjustment extends Pick<WebhookDelivery, 'id' | 'status' | 'attempts' | 'createdAt'> {
  readonly contactId: string;
  readonly definitionId: number;
  readonly amount: number;
}

/** Balances that came in one call. */
export interface AuditedSync {
  readonly id: string;
  readonly turn: number;
  /** The reason why none of them was set. */
  readonly failure: string | undefined;
  readonly items: readonly {
    readonly contactId: string;
    readonly definitionId: number;
    readonly amount: number;
    readonly before?: number;
    readonly outcome: 'set' | 'older' | 'passed over' | 'rejected';
    readonly message?: string;
  }[];
}

/** Describes the adjustments and balances of one account. */
export interface AuditedAccount {
  readonly contactId: string;
  readonly definitionId: number;
  readonly sent: AuditedAdjustment[];
  readonly balances: ReceivedBalance[];
}
