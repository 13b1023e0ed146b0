import { gzipSync } from 'node:zlib';
import { astrid, bo } from '../../test/support/people.ts';
import { adjustment, createCrowd, crowd, fieldsOf, line, ones, points, receipt, receipts, unknown } from './content.ts';
import { get, many, patch, post, times } from './heavy-call.ts';
import type { HeavyCall } from './heavy-call.ts';

const changeCrowd = patch('/api/v3/contacts/bulk', crowd('Storgatan 2'));

const balances = times(4000, (n) => ({ contactId: n % 2 ? astrid : bo, definitionId: 1, amount: n }));

const nested = times(90, (n) => n).reduce<unknown>((inner, n) => ({ p: `${'x'.repeat(60_000)}${n}`, n: inner }), 1);

/** Sends receipts of 5,000 lines, eight of a MB. */
const longReceipts = (count: number) =>
  many(count, (n) => ({ method: 'POST', path: '/api/v3/receipts', body: receipt(n, 5000) }));

const emptyMember = gzipSync('');

/** Compresses a body behind as many empty parts as a body may have. */
const emptyParts = Buffer.concat([
  ...times(780_000, () => emptyMember),
  gzipSync(JSON.stringify({ email: 'gzip@example.com' })),
]);

/** Holds calls of the service itself. */
export const serviceCalls: readonly HeavyCall[] = [
  {
    name: '30 receipts of 5,000 lines by /transactions',
    prepare: longReceipts(30),
    call: get(`/api/v3/transactions?contactId=${astrid}&limit=1000`),
  },
  {
    name: 'an adjustment by trigger that makes 1,000 vouchers',
    call: post('/__admin/trigger', { ...adjustment, amount: 5_000_000 }),
  },
  {
    name: 'a body of 780,000 compressed parts that are empty',
    call: (send) =>
      send({
        method: 'POST',
        path: '/api/v3/contacts',
        body: emptyParts,
        headers: { 'content-encoding': 'gzip' },
      }),
  },
  { name: '4,000 contacts created by a bulk', call: createCrowd },
  { name: '4,000 contacts changed by a bulk', prepare: createCrowd, call: changeCrowd },
  { name: '4,000 contacts refused by a bulk', prepare: createCrowd, call: createCrowd },
  { name: '1,000 point transactions by a bulk', call: post('/api/v3/point-accounts/transactions', points) },
  { name: 'a receipt of 1,000 lines', call: post('/api/v3/receipts', receipt(0, 1000)) },
  { name: 'a receipt of 5,000 lines', call: post('/api/v3/receipts', receipt(0, 5000)) },
  {
    name: '4,000 balances of an external point master',
    args: ['--mode', 'point-follower'],
    call: post('/api/v3/point-accounts/balances', balances),
  },
  {
    name: '3,000 receipts by /transactions',
    prepare: receipts,
    call: get(`/api/v3/transactions?contactId=${astrid}&limit=1000`),
  },
  {
    name: 'a bulk of 199,999 empty objects',
    isRefused: true,
    call: post(
      '/api/v3/contacts/bulk',
      times(199_999, () => ({})),
    ),
  },
  {
    name: 'a bulk of 5,000,000 empty objects',
    isRefused: true,
    call: post(
      '/api/v3/contacts/bulk',
      times(5_000_000, () => ({})),
    ),
  },
  {
    name: 'a contact with 199,998 lists',
    isRefused: true,
    call: post('/api/v3/contacts', { a: times(199_998, () => []) }),
  },
  {
    name: 'a contact with 5,000,000 lists',
    isRefused: true,
    call: post('/api/v3/contacts', { a: times(5_000_000, () => []) }),
  },
  {
    name: 'a contact with a text of 15 MB',
    isRefused: true,
    call: post('/api/v3/contacts', { street: 'x'.repeat(15_000_000) }),
  },
  {
    name: 'a receipt of 5,000 lines with 47 unknown fields each',
    call: post('/api/v3/receipts', receipt(0, 5000, { items: times(5000, (n) => ({ ...line(n), ...unknown(47) })) })),
  },
  {
    name: 'a receipt of 5,000 lines that are all wrong',
    isRefused: true,
    call: post('/api/v3/receipts', receipt(0, 5000, { items: times(5000, (n) => ({ ...line(n), quantity: 'x' })) })),
  },
  {
    name: 'a receipt of 5,000 lines with 34 discounts each',
    call: post(
      '/api/v3/receipts',
      receipt(0, 5000, {
        items: times(5000, (n) => ({ ...line(n), discounts: times(34, () => ({ value: -1 })) })),
      }),
    ),
  },
  {
    name: 'an order of 5,000 lines with 34 discounts each',
    call: post('/api/v3/orders', {
      orderNumber: 'o-1',
      orderStatus: 'NEW',
      paymentStatus: 'PAID',
      createdDate: '2026-03-01T11:00:00Z',
      storeId: '1',
      currency: 'SEK',
      contact: { matchKey: astrid, matchKeyType: 'contactId' },
      totalGrossPrice: 5000,
      items: times(5000, (n) => ({
        sku: `${n}-M`,
        quantity: 1,
        articleName: 'T-shirt',
        discounts: times(34, () => ({ value: -1 })),
      })),
    }),
  },
  {
    name: 'a receipt of 5,000 payments',
    call: post('/api/v3/receipts', receipt(0, 1, { paymentMethods: times(5000, () => ({ type: 'card', value: 1 })) })),
  },
  {
    name: 'a contact with 124,000 objects',
    isRefused: true,
    call: post('/api/v3/contacts', { a: times(124_000, (b) => ({ b })) }),
  },
  {
    name: 'a bulk of 4,000 contacts with 95 unknown fields each',
    call: post(
      '/api/v3/contacts/bulk',
      crowd('Storgatan 1').map((contact) => ({ ...contact, ...unknown(95 - 5) })),
    ),
  },
  {
    name: 'a bulk of 39 contacts with 9,990 unknown fields each',
    call: post(
      '/api/v3/contacts/bulk',
      crowd('Storgatan 1')
        .slice(0, 39)
        .map((contact) => ({ ...contact, ...unknown(9990) })),
    ),
  },
  { name: 'a receipt of 5,001 lines', isRefused: true, call: post('/api/v3/receipts', receipt(0, 5001)) },
  {
    name: '398,000 balances that are no objects',
    isRefused: true,
    args: ['--mode', 'point-follower'],
    call: post('/api/v3/point-accounts/balances', ones),
  },
  {
    name: 'a contact with 1,000 answers to one consent',
    call: post('/api/v3/contacts', {
      email: 'x@example.com',
      consents: times(1000, () => ({ id: 'newsletter', value: true })),
    }),
  },
  {
    name: 'a contact with 15 texts of 500,000 quotes, and what looks like names',
    call: post('/api/v3/contacts', {
      email: 'x@example.com',
      ...fieldsOf(15, () => '"'.repeat(500_000)),
      firstName: '":'.repeat(10),
    }),
  },
  {
    name: 'a contact with 7 texts of a million characters that are not ASCII',
    call: post('/api/v3/contacts', { email: 'x@example.com', ...fieldsOf(7, () => 'ä'.repeat(1_000_000)) }),
  },
  { name: '90 objects in one another, 60 KB each', call: post('/api/v3/contacts', { email: 'x@example.com', nested }) },
];
