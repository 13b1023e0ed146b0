import type { Part } from './endpoints.ts';

export interface ErrorRow {
  readonly id: string;
  readonly part: Part;
  readonly statuses: readonly number[];
  readonly names: readonly string[];
  readonly condition: string;
}

export const errors = [
  { id: 'error.noData', part: 1, statuses: [400], names: ['NoData'], condition: 'PATCH of a contact fails' },
  {
    id: 'error.notFound',
    part: 1,
    statuses: [404],
    names: ['Not Found'],
    condition: 'PATCH of a contact whose id does not exist',
  },
  {
    id: 'error.contactNotFound',
    part: 1,
    statuses: [404],
    names: ['contact not found'],
    condition: 'contact lookup finds no match',
  },
  {
    id: 'error.retailKpiNotCalculated',
    part: 1,
    statuses: [404],
    names: ['RetailKpiNotCalculated'],
    condition: 'purchase history summary requested for a contact id not found',
  },
  {
    id: 'error.bulkPointTransactions',
    part: 2,
    statuses: [400],
    names: ['Too many items', 'New point system not active'],
    condition: 'bulk point transactions: more than 1000 items, or the new point system is not active',
  },
  {
    id: 'error.serverFailure',
    part: 1,
    statuses: [500, 504],
    names: [],
    condition: 'Server failure or time-out; the caller retries',
  },
] as const satisfies readonly ErrorRow[];
