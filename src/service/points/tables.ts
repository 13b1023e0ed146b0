/** Keeps point accounts and what is in them. Balances are not kept: they follow from transactions and the clock. */
import { parseTimestamp } from '../../core/time/clock.ts';
import type { Instant } from '../../core/time/clock.ts';
import type { IndexEntry, Table } from '../../core/state/state.ts';
import type { TransactionType } from './definitions.ts';

/** Holds one independent account per contact and point definition. */
export interface PointAccount {
  readonly id: string;
  /** Holds the integer that it goes by as well. */
  readonly number: number;
  readonly contactId: string;
  readonly definitionId: number;
}

export const ownerKey = (contactId: string, definitionId: number): string => `${contactId}/${definitionId}`;

export const pointAccounts: Table<PointAccount> = {
  name: 'pointAccounts',
  scope: 'state',
  key: ({ id }) => id,
  unique: {
    number: ({ number }) => [String(number)],
    owner: ({ contactId, definitionId }) => [ownerKey(contactId, definitionId)],
  },
  lists: { byContact: ({ contactId, definitionId }) => ({ of: contactId, order: definitionId }) },
};

/** Describes a point transaction as it is kept. */
export interface PointTransaction {
  readonly id: string;
  /** Counts a tenant's point transactions: which of two with the same date came first. */
  readonly number: number;
  readonly accountId: string;
  /** Holds the caller's own id of it. */
  readonly transactionId: string | null;
  /** True when there was one with the same transactionId before. */
  readonly isRepeat: boolean;
  /** Is negative for deductions. */
  readonly amount: number;
  readonly type: TransactionType;
  readonly source: string;
  readonly description: string | null;
  readonly transactionDate: string;
  readonly createdOn: string;
  readonly modifiedOn: string;
  readonly validFrom: string | null;
  readonly validTo: string | null;
  readonly retailTransactionLineItemId: string | null;
}

export const parseInstant = (timestamp: string): Instant => parseTimestamp(timestamp) ?? 0;

/** Points without a validFrom have always been active. */
const activation = ({ validFrom }: PointTransaction): number =>
  validFrom === null ? Number.NEGATIVE_INFINITY : parseInstant(validFrom);

export type TransactionOrder = 'transactionDate' | 'createdOn';

/** Returns the position of a transaction among those of its account. */
export const transactionIndexEntry = (order: TransactionOrder, transaction: PointTransaction): IndexEntry => ({
  of: transaction.accountId,
  order: parseInstant(transaction[order]),
  tie: transaction.number,
});

export const pointTransactions: Table<PointTransaction> = {
  name: 'pointTransactions',
  scope: 'state',
  key: ({ id }) => id,
  unique: {
    transactionId: ({ transactionId, isRepeat }) => (transactionId === null || isRepeat ? [] : [transactionId]),
  },
  lists: {
    transactionDate: (transaction) => transactionIndexEntry('transactionDate', transaction),
    createdOn: (transaction) => transactionIndexEntry('createdOn', transaction),
    // The amounts add up to the balance and to the pending points.
    activation: (transaction) => ({
      of: transaction.accountId,
      order: activation(transaction),
      tie: transaction.number,
      amounts: [transaction.amount],
    }),
  },
};

/** Keeps what is left of an addition, so that nothing has to be computed from the account's whole past. */
export interface PointLot {
  /** Holds the transaction that brought the points. */
  readonly id: string;
  readonly number: number;
  readonly accountId: string;
  readonly left: number;
  readonly activeFrom: Instant;
  /** Holds the moment from which they are expired. */
  readonly expiresAt: Instant | null;
}

export const pointLots: Table<PointLot> = {
  name: 'pointLots',
  scope: 'state',
  key: ({ id }) => id,
  lists: {
    expiry: ({ accountId, expiresAt, number }) => ({
      of: accountId,
      order: expiresAt ?? Number.POSITIVE_INFINITY,
      tie: number,
    }),
    activation: ({ accountId, activeFrom, number, left }) => ({
      of: accountId,
      order: activeFrom,
      tie: number,
      amounts: [left],
    }),
  },
  timestampFields: ['activeFrom', 'expiresAt'],
};

/** Keeps what a bought line gave, for the day it is returned. */
export interface PointAward {
  readonly accountId: string;
  readonly receiptId: string;
  readonly lineId: string;
  readonly sku: string;
  readonly boughtOn: Instant;
  /** Holds the number of the receipt and, as its fraction, the place of the line: which of two of the same moment came first. */
  readonly number: number;
  readonly quantity: number;
  readonly returned: number;
  /** Holds the part of all that the receipt sold, from 0 to 1. */
  readonly share: number;
  /** Holds what was paid for one piece, with its currency. */
  readonly unitPrice: string;
  /** Holds the points that it gave, how many of them returns took away, and how many expired. */
  readonly gave: number;
  readonly deducted: number;
  readonly expired: number;
  /** Holds the transaction that brought them, unless there were none. */
  readonly lotId: string | null;
}

/** A line gives points to an account once. */
export const awardKey = (accountId: string, lineId: string): string => `${accountId}/${lineId}`;

export const articleKey = (accountId: string, sku: string): string => `${accountId}/${sku}`;
export const pricedArticleKey = (accountId: string, sku: string, unitPrice: string): string =>
  `${articleKey(accountId, sku)}/${unitPrice}`;

const isReturnable = ({ returned, quantity }: PointAward): boolean => returned < quantity;

export const pointAwards: Table<PointAward> = {
  name: 'pointAwards',
  scope: 'state',
  key: ({ accountId, lineId }) => awardKey(accountId, lineId),
  lists: {
    returnable: (award) =>
      isReturnable(award)
        ? { of: articleKey(award.accountId, award.sku), order: award.boughtOn, tie: award.number }
        : undefined,
    samePrice: (award) =>
      isReturnable(award)
        ? {
            of: pricedArticleKey(award.accountId, award.sku, award.unitPrice),
            order: award.boughtOn,
            tie: award.number,
          }
        : undefined,
  },
  timestampFields: ['boughtOn'],
};

/** Keeps what a promotion gave on top of a receipt, for the day its articles are returned. */
export interface PointBonus {
  /** Holds the transaction that brought the points. */
  readonly lotId: string;
  readonly accountId: string;
  readonly receiptId: string;
  readonly description: string;
  readonly gave: number;
  readonly deducted: number;
  readonly expired: number;
  /** Holds the part of the receipt that was returned, from 0 to 1. */
  readonly returned: number;
}

export const bonusKey = (accountId: string, receiptId: string): string => `${accountId}/${receiptId}`;

export const pointBonuses: Table<PointBonus> = {
  name: 'pointBonuses',
  scope: 'state',
  key: ({ lotId }) => lotId,
  lists: { byReceipt: ({ accountId, receiptId }) => ({ of: bonusKey(accountId, receiptId), order: 0 }) },
};
