import type { Part } from './endpoints.ts';

export interface LimitRow {
  readonly id: string;
  readonly part: Part;
  readonly limit: string;
  readonly appliesTo: string;
  readonly value: string;
  readonly atMost: number;
}

export const limits = [
  {
    id: 'limit.bulkPointTransactions',
    part: 2,
    limit: 'Items per request',
    appliesTo: 'POST /point-accounts/transactions',
    value: 'at most 1000',
    atMost: 1000,
  },
] as const satisfies readonly LimitRow[];
