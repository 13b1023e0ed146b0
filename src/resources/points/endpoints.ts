import * as z from 'zod';
import { answer, endpoint } from '../../core/endpoint.ts';
import { pageOf, pageQuery, toPage } from '../../core/page.ts';
import { contactOf } from '../contacts/lookup.ts';
import { requiredText } from '../formats.ts';
import { accountOf, accountsOf, transactionOf } from './accounts.ts';
import { balanceStatusOf, queueBalances } from './balances.ts';
import { queueTransactions } from './bulk.ts';
import { showAccount, showFirstTransactions, showTransaction, showTransactions } from './looks.ts';
import { addTransaction, definitionNamed } from './operations.ts';
import { pointDefinitionSchema } from './schema.ts';
import {
  accountSchema,
  accountWithTransactions,
  balancesAnswer,
  balancesBody,
  balanceStatusSchema,
  bulkAnswer,
  bulkBody,
  transactionBody,
  transactionPage,
  transactionQuery,
  transactionSchema,
} from './wire.ts';

const tag = 'Points';

/** A contact of the default fixture, her account of style points, and a transaction on it. */
const astrid = '5a0e7c1e-0001-4000-8000-000000000001';
const account = '1';
const transaction = '9b1d0c00-dddd-4000-8000-000000000001';

export const pointEndpoints = [
  endpoint({
    id: 'listPointAccounts',
    method: 'GET',
    path: '/api/v3/point-accounts',
    tag,
    summary: 'All point accounts of a contact, with active and pending points',
    query: z.object({ contactId: requiredText, ...pageQuery }),
    answers: { 200: z.union([pageOf(accountSchema), z.array(accountSchema)]) },
    refusals: ['ContactNotFound', 'ValidationError'],
    assumptions: ['A-06', 'A-38', 'A-39'],
    retry: 'read',
    examples: [{ query: { contactId: astrid }, status: 200 }],
    handle: (tenant, { query, self }) => {
      const held = accountsOf(tenant, contactOf(tenant, query.contactId).id);
      const page = toPage({
        self,
        page: query,
        totalCount: held.length,
        items: ({ offset, count }) =>
          held.slice(offset, offset + count).map((shown) => showAccount(tenant, shown, self)),
        counts: tenant.assumption('A-06'),
      });
      return answer(200, tenant.assumption('A-39') === 'array' ? page.items : page);
    },
  }),
  endpoint({
    id: 'getPointAccount',
    method: 'GET',
    path: '/api/v3/point-accounts/{id}',
    tag,
    summary: 'One point account with the first page of its transactions',
    answers: { 200: accountWithTransactions },
    refusals: ['PointAccountNotFound'],
    assumptions: ['A-38', 'A-40'],
    retry: 'read',
    examples: [{ params: { id: account }, status: 200 }],
    handle: (tenant, { params, self }) => {
      const found = accountOf(tenant, params.id ?? '');
      const shown = showAccount(tenant, found, self);
      if (tenant.assumption('A-40') === 'account-only') return answer(200, shown);
      return answer(200, { ...shown, transactions: showFirstTransactions(tenant, found, self) });
    },
  }),
  endpoint({
    id: 'listAccountTransactions',
    method: 'GET',
    path: '/api/v3/point-accounts/transactions',
    tag,
    summary: 'The transactions of a point account, where the links of an account lead to',
    query: z.object({ accountId: requiredText, ...transactionQuery }),
    answers: { 200: transactionPage },
    refusals: ['PointAccountNotFound', 'ValidationError'],
    assumptions: ['A-06', 'A-38', 'A-40', 'A-44', 'A-53'],
    retry: 'read',
    examples: [{ query: { accountId: account }, status: 200 }],
    handle: (tenant, { query, self }) =>
      answer(200, showTransactions(tenant, accountOf(tenant, query.accountId), { ...query, self })),
  }),
  endpoint({
    id: 'listPointTransactions',
    method: 'GET',
    path: '/api/v3/point-transactions',
    tag,
    summary: 'The transactions of a point account, all, active or pending, the latest first',
    query: z.object({ id: requiredText.describe("The account's id"), ...transactionQuery }),
    answers: { 200: transactionPage },
    refusals: ['PointAccountNotFound', 'ValidationError'],
    assumptions: ['A-06', 'A-38', 'A-44', 'A-53'],
    retry: 'read',
    examples: [{ query: { id: account, filter: 'Active', sortBy: 'createdOn', sortOrder: 'asc' }, status: 200 }],
    handle: (tenant, { query, self }) =>
      answer(200, showTransactions(tenant, accountOf(tenant, query.id), { ...query, self })),
  }),
  endpoint({
    id: 'getPointTransaction',
    method: 'GET',
    path: '/api/v3/point-transactions/{transactionId}',
    tag,
    summary: "One point transaction, by its id or by the caller's own transactionId",
    answers: { 200: transactionSchema },
    refusals: ['PointTransactionNotFound'],
    assumptions: ['A-38', 'A-53'],
    retry: 'read',
    examples: [{ params: { transactionId: transaction }, status: 200 }],
    handle: (tenant, { params, self }) =>
      answer(200, showTransaction(tenant, transactionOf(tenant, params.transactionId ?? ''), self)),
  }),
  endpoint({
    id: 'addPointTransaction',
    method: 'POST',
    path: '/api/v3/point-transactions',
    tag,
    summary: 'Adds points to an account or takes some; the same transactionId is applied once',
    body: transactionBody,
    answers: { 201: transactionSchema, 202: z.strictObject({}) },
    refusals: ['PointAccountNotFound', 'ValidationError', 'PointTransactionExists', 'NewPointSystemNotActive'],
    assumptions: ['A-38', 'A-41', 'A-42'],
    retry: 'keyed',
    ownKey: 'body.transactionId',
    lookups: ['listPointTransactions', 'listAccountTransactions', 'getPointTransaction', 'getPointAccount'],
    examples: [
      {
        body: {
          accountId: account,
          transactionId: 'crm-2026-0001',
          transactionType: 'Addition',
          amount: 50,
          description: 'Wrote a review',
          source: 'Automation',
        },
        status: 201,
      },
    ],
    handle: (tenant, { body, self }) => {
      const added = addTransaction(tenant, body);
      return tenant.assumption('A-41') === '202' ? answer(202, {}) : answer(201, showTransaction(tenant, added, self));
    },
  }),
  endpoint({
    id: 'addPointTransactions',
    method: 'POST',
    path: '/api/v3/point-accounts/transactions',
    tag,
    summary: 'Queues up to 1000 point transactions; accounts that are missing are made',
    headers: {
      'idempotency-key':
        'The same key within 24 hours adds nothing again and is answered as the first time, unless its job failed',
    },
    body: bulkBody,
    answers: { 202: bulkAnswer },
    refusals: ['TooManyItems', 'NewPointSystemNotActive', 'ValidationError'],
    assumptions: ['A-26', 'A-43'],
    retry: 'unkeyed',
    ownKey: 'header.idempotency-key',
    lookups: [
      'listPointAccounts',
      'getPointAccount',
      'listPointTransactions',
      'listAccountTransactions',
      'getPointTransaction',
    ],
    examples: [
      {
        body: [
          {
            contactId: astrid,
            definitionId: 2,
            amount: 50,
            timeStamp: '2026-02-27T16:42:00+01:00',
            source: 'Adjustment',
            description: 'Style evening in Stockholm',
          },
        ],
        status: 202,
      },
    ],
    handle: (tenant, { body, headers }) => answer(202, queueTransactions(tenant, body, headers['idempotency-key'])),
  }),
  endpoint({
    id: 'setPointBalances',
    method: 'POST',
    path: '/api/v3/point-accounts/balances',
    tag,
    summary: 'Queues balances that an external point master sets; in point-follower mode only',
    body: balancesBody,
    answers: { 202: balancesAnswer },
    refusals: ['PointFollowerNotActive', 'NewPointSystemNotActive', 'ValidationError'],
    assumptions: ['A-26', 'A-45', 'A-47'],
    retry: 'idempotent',
    examples: [{ body: [{ contactId: astrid, definitionId: 2, amount: 100 }], status: 400 }],
    handle: (tenant, { body }) => {
      const id = queueBalances(tenant, body);
      return answer(202, tenant.assumption('A-45') === 'string' ? id : { id });
    },
  }),
  endpoint({
    id: 'getPointBalancesStatus',
    method: 'GET',
    path: '/api/v3/point-accounts/balances/status/{id}',
    tag,
    summary: 'What became of balances that were set',
    answers: { 200: balanceStatusSchema },
    refusals: ['BalanceSyncNotFound'],
    assumptions: ['A-45'],
    retry: 'read',
    deprecated: true,
    examples: [{ params: { id: '00000000-0000-4000-8000-000000000000' }, status: 404 }],
    handle: (tenant, { params }) => answer(200, balanceStatusOf(tenant, params.id ?? '')),
  }),
  endpoint({
    id: 'getPointDefinition',
    method: 'GET',
    path: '/api/v3/point-definitions/{definitionId}',
    tag,
    summary: 'How points of one kind are earned, and when they expire',
    answers: { 200: pointDefinitionSchema },
    refusals: ['PointDefinitionNotFound'],
    retry: 'read',
    examples: [{ params: { definitionId: '2' }, status: 200 }],
    handle: (tenant, { params }) => answer(200, definitionNamed(tenant, params.definitionId ?? '')),
  }),
];
