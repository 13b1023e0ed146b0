/** What was exchanged with a point master: what a report rests on. */
import type { Delivery } from '../../core/deliveries.ts';
import type { ReceivedBalance } from './account.ts';

/** An adjustment by its delivery. */
export interface Adjustment extends Pick<Delivery, 'id' | 'status' | 'attempts' | 'createdAt'> {
  readonly contactId: string;
  readonly definitionId: number;
  readonly amount: number;
}

/** Balances that came in one call. */
export interface Sync {
  readonly id: string;
  readonly turn: number;
  /** Why none of them was set. */
  readonly failure: string | undefined;
  readonly items: readonly {
    readonly contactId: string;
    readonly definitionId: number;
    readonly amount: number;
    readonly before?: number;
    readonly outcome: 'set' | 'older' | 'passed over' | 'refused';
    readonly message?: string;
  }[];
}

/** The adjustments and balances of one account. */
export interface Account {
  readonly contactId: string;
  readonly definitionId: number;
  readonly sent: Adjustment[];
  readonly balances: ReceivedBalance[];
}
