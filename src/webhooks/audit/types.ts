/** Declares the types of the records exchanged with a point master, on which a report rests. */
import type { WebhookDelivery } from '../../core/tenant/webhook-outbox.ts';

/** Describes an adjustment by its delivery. */
export interface AuditedAdjustment extends Pick<WebhookDelivery, 'id' | 'status' | 'attempts' | 'createdAt'> {
  readonly contactId: string;
  readonly definitionId: number;
  readonly amount: number;
}

/** Names an account: whose points of which definition. */
interface AccountName {
  readonly contactId: string;
  readonly definitionId: number;
}

export const accountKey = ({ contactId, definitionId }: AccountName): string => `${contactId}/${definitionId}`;

/** Describes balances that came in one request. */
export interface AuditedSync {
  readonly id: string;
  readonly turn: number;
  /** Says why none of them was set. */
  readonly failure: string | undefined;
  /** Holds the accounts whose balances it would have set, had it not failed. */
  readonly unset: readonly AccountName[];
  readonly items: readonly {
    readonly contactId: string;
    readonly definitionId: number;
    readonly amount: number;
    readonly before?: number;
    readonly outcome: 'set' | 'older' | 'passed over' | 'rejected';
    readonly code?: string;
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

/** Describes an adjustment that was sent. */
export interface SentAdjustment {
  readonly id: string;
  readonly amount: number;
  /** Holds the turn in which the master said that it has it; absent when it never did. */
  readonly acceptedAt: number | undefined;
  /** Holds the first turn in which it may have it: since an attempt was begun that it could read. */
  readonly possibleFrom: number | undefined;
}

/** Describes a balance that the master set. */
export interface ReceivedBalance {
  readonly turn: number;
  readonly syncId: string;
  readonly amount: number;
  /** Holds the balance that the service showed just before. */
  readonly before: number;
  /** True when one with a newer time stamp had come before it. */
  readonly isOlder: boolean;
}
