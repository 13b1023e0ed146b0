import * as z from '../../core/validation/deferred-zod.ts';
import { apiResponse, endpoint, isLongList } from '../../core/exchange/endpoint.ts';
import { itemsShown, pageSchema, pageQuery, paginate } from '../../core/exchange/pagination.ts';
import { canonicalJson } from '../../core/exchange/operation-key.ts';
import { fieldsOfSent, rowsOfSent, subjectOf, withoutAttemptMark } from '../../core/exchange/subject.ts';
import type { SentFields, Subject, WorkPiece } from '../../core/exchange/subject.ts';
import type { TenantContext } from '../../core/tenant/context.ts';
import { getContact } from '../contacts/lookup.ts';
import { requiredText } from '../../core/validation/field-types.ts';
import { getPointAccount, listPointAccounts, getPointTransaction } from './lookup.ts';
import { getBalanceSyncStatus, queueBalances } from './balance-sync.ts';
import { maxBulkItems, queueTransactions } from './bulk.ts';
import {
  serializeAccount,
  serializeFirstTransactionPage,
  serializePointTransaction,
  serializeTransactionPage,
} from './serialize.ts';
import { addTransaction, getPointDefinition } from './operations.ts';
import { pointDefinitionSchema } from './definitions.ts';
import { pointAccounts, pointTransactions } from './tables.ts';
import type { PointTransaction } from './tables.ts';
import {
  pointAccountSchema,
  accountWithTransactions,
  balancesResponseSchema,
  balancesBody,
  balanceSyncStatusSchema,
  bulkResponseSchema,
  bulkBody,
  pointTransactionBody,
  pointTransactionPageSchema,
  pointTransactionQuery,
  pointTransactionSchema,
} from './schema.ts';

const tag = 'Points';

/** Holds a contact of the default fixture, her account of style points, and a transaction on it. */
const astrid = '5a0e7c1e-0001-4000-8000-000000000001';
const account = '1';
const transaction = '9b1d0c00-dddd-4000-8000-000000000001';

/** Describes points that are to be added to an account, for whatever the text says. */
const pointsPiece = (subject: Subject[], amount: unknown, text: unknown): WorkPiece => ({
  subject,
  effect: `${canonicalJson(amount)} points ${withoutAttemptMark(text)}`,
});

/** Returns the ids under which the account of a transaction may be shown. */
const idsOfAccount = (tenant: TenantContext, { accountId }: PointTransaction): unknown[] => [
  accountId,
  tenant.get(pointAccounts, accountId)?.number,
];

/** True when an account is shown with the balance that was to be set. */
function isBalanceShown({ contactId, definitionId, amount }: SentFields, shown: readonly SentFields[]): boolean {
  const owner = String(contactId).toLowerCase();
  return shown.some(
    (one) => one['contactId'] === owner && one['definitionId'] === definitionId && one['balance'] === amount,
  );
}

export const pointEndpoints = [
  endpoint({
    id: 'listPointAccounts',
    method: 'GET',
    path: '/api/v3/point-accounts',
    tag,
    summary: 'All point accounts of a contact, with active and pending points',
    query: z.object({ contactId: requiredText, ...pageQuery }),
    responses: { 200: z.union([pageSchema(pointAccountSchema), z.array(pointAccountSchema)]) },
    errors: ['ContactNotFound', 'ValidationError'],
    assumptions: ['A-06', 'A-38', 'A-39'],
    retry: 'safe',
    subjects: ({ query }) => subjectOf('contact', query['contactId']),
    lists: { table: pointTransactions.name, idsOf: idsOfAccount },
    examples: [{ query: { contactId: astrid }, status: 200 }],
    handle: (tenant, { query, self }) => {
      const held = listPointAccounts(tenant, getContact(tenant, query.contactId).id);
      const page = paginate({
        self,
        page: query,
        totalCount: held.length,
        items: ({ offset, count }) =>
          held.slice(offset, offset + count).map((shown) => serializeAccount(tenant, shown, self)),
        counts: tenant.assumption('A-06'),
      });
      return apiResponse(200, tenant.assumption('A-39') === 'array' ? page.items : page);
    },
  }),
  endpoint({
    id: 'getPointAccount',
    method: 'GET',
    path: '/api/v3/point-accounts/{id}',
    tag,
    summary: 'One point account with the first page of its transactions',
    responses: { 200: accountWithTransactions },
    errors: ['PointAccountNotFound'],
    assumptions: ['A-38', 'A-40'],
    retry: 'safe',
    subjects: ({ params }) => subjectOf('account', params['id']),
    examples: [{ params: { id: account }, status: 200 }],
    handle: (tenant, { params, self }) => {
      const found = getPointAccount(tenant, params.id ?? '');
      const shown = serializeAccount(tenant, found, self);
      if (tenant.assumption('A-40') === 'account-only') return apiResponse(200, shown);
      return apiResponse(200, { ...shown, transactions: serializeFirstTransactionPage(tenant, found, self) });
    },
  }),
  endpoint({
    id: 'listAccountTransactions',
    method: 'GET',
    path: '/api/v3/point-accounts/transactions',
    tag,
    summary: 'The transactions of a point account, where the links of an account lead to',
    query: z.object({ accountId: requiredText, ...pointTransactionQuery }),
    responses: { 200: pointTransactionPageSchema },
    errors: ['PointAccountNotFound', 'ValidationError'],
    assumptions: ['A-06', 'A-38', 'A-40', 'A-44', 'A-53'],
    retry: 'safe',
    subjects: ({ query }) => subjectOf('account', query['accountId']),
    lists: { table: pointTransactions.name, filters: ['filter'] },
    examples: [{ query: { accountId: account }, status: 200 }],
    handle: (tenant, { query, self }) =>
      apiResponse(200, serializeTransactionPage(tenant, getPointAccount(tenant, query.accountId), { ...query, self })),
  }),
  endpoint({
    id: 'listPointTransactions',
    method: 'GET',
    path: '/api/v3/point-transactions',
    tag,
    summary: 'The transactions of a point account, all, active or pending, the latest first',
    query: z.object({ id: requiredText.describe("The account's id"), ...pointTransactionQuery }),
    responses: { 200: pointTransactionPageSchema },
    errors: ['PointAccountNotFound', 'ValidationError'],
    assumptions: ['A-06', 'A-38', 'A-44', 'A-53'],
    retry: 'safe',
    subjects: ({ query }) => subjectOf('account', query['id']),
    lists: { table: pointTransactions.name, filters: ['filter'] },
    examples: [{ query: { id: account, filter: 'Active', sortBy: 'createdOn', sortOrder: 'asc' }, status: 200 }],
    handle: (tenant, { query, self }) =>
      apiResponse(200, serializeTransactionPage(tenant, getPointAccount(tenant, query.id), { ...query, self })),
  }),
  endpoint({
    id: 'getPointTransaction',
    method: 'GET',
    path: '/api/v3/point-transactions/{transactionId}',
    tag,
    summary: "One point transaction, by its id or by the caller's own transactionId",
    responses: { 200: pointTransactionSchema },
    errors: ['PointTransactionNotFound'],
    assumptions: ['A-38', 'A-53'],
    retry: 'safe',
    subjects: ({ params }) => subjectOf('transaction', params['transactionId']),
    examples: [{ params: { transactionId: transaction }, status: 200 }],
    handle: (tenant, { params, self }) =>
      apiResponse(
        200,
        serializePointTransaction(tenant, getPointTransaction(tenant, params.transactionId ?? ''), self),
      ),
  }),
  endpoint({
    id: 'addPointTransaction',
    method: 'POST',
    path: '/api/v3/point-transactions',
    tag,
    summary: 'Adds points to an account or takes some; the same transactionId is applied once',
    body: pointTransactionBody,
    responses: { 201: pointTransactionSchema, 202: z.strictObject({}) },
    errors: ['PointAccountNotFound', 'ValidationError', 'PointTransactionExists', 'NewPointSystemNotActive'],
    assumptions: ['A-38', 'A-41', 'A-42', 'A-68', 'A-69'],
    retry: 'keyed',
    idempotencyKey: 'body.transactionId',
    readBack: ['listPointTransactions', 'listAccountTransactions', 'getPointTransaction', 'getPointAccount'],
    subjects: ({ body }) => {
      const { accountId, transactionId } = fieldsOfSent(body);
      return [...subjectOf('account', accountId), ...subjectOf('transaction', transactionId)];
    },
    work: ({ body }) => {
      const { accountId, amount, transactionType, description } = fieldsOfSent(body);
      const isTaken = String(transactionType).toLowerCase() === 'deduction' && Number(amount) > 0;
      return [pointsPiece(subjectOf('account', accountId), isTaken ? -Number(amount) : amount, description)];
    },
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
      return tenant.assumption('A-41') === '202'
        ? apiResponse(202, {})
        : apiResponse(201, serializePointTransaction(tenant, added, self));
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
        'The same key within 24 hours adds nothing again and gets the first response, unless its job failed',
    },
    body: bulkBody,
    bodyRules: { maxItems: maxBulkItems },
    responses: { 202: bulkResponseSchema },
    errors: ['TooManyItems', 'NewPointSystemNotActive', 'ValidationError'],
    assumptions: ['A-26', 'A-43'],
    retry: 'unkeyed',
    idempotencyKey: 'header.idempotency-key',
    readBack: [
      'listPointAccounts',
      'getPointAccount',
      'listPointTransactions',
      'listAccountTransactions',
      'getPointTransaction',
    ],
    subjects: ({ body }) =>
      rowsOfSent(body).flatMap(({ contactId, definitionId }) => [
        ...subjectOf('contact', contactId),
        ...subjectOf('accountOf', contactId, definitionId),
      ]),
    work: ({ body }) =>
      rowsOfSent(body).map(({ contactId, definitionId, amount, description }) =>
        pointsPiece(subjectOf('accountOf', contactId, definitionId), amount, description),
      ),
    isPartial: (body) => (bulkResponseSchema.safeParse(body).data?.notAccepted.length ?? 0) > 0,
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
    isLong: isLongList,
    handle: (tenant, { body, headers }) =>
      apiResponse(202, queueTransactions(tenant, body, headers['idempotency-key'])),
  }),
  endpoint({
    id: 'setPointBalances',
    method: 'POST',
    path: '/api/v3/point-accounts/balances',
    tag,
    summary: 'Queues balances that an external point master sets; in point-follower mode only',
    body: balancesBody,
    responses: { 202: balancesResponseSchema },
    errors: ['PointFollowerNotActive', 'NewPointSystemNotActive', 'ValidationError'],
    assumptions: ['A-26', 'A-45', 'A-47'],
    retry: 'idempotent',
    readBack: ['listPointAccounts', 'getPointAccount', 'getPointBalancesStatus'],
    subjects: ({ body }) =>
      rowsOfSent(body).flatMap(({ contactId, definitionId }) => [
        ...subjectOf('contact', contactId),
        ...subjectOf('accountOf', contactId, definitionId),
      ]),
    sets: ({ body }) =>
      rowsOfSent(body).map(({ contactId, definitionId, amount, timeStamp }) => ({
        contact: subjectOf('contact', contactId),
        thing: subjectOf('accountOf', contactId, definitionId),
        field: 'balance',
        value: amount,
        timeStamp,
      })),
    isShownIn: (_, { body }, shown) => rowsOfSent(body).every((row) => isBalanceShown(row, itemsShown(shown))),
    examples: [{ body: [{ contactId: astrid, definitionId: 2, amount: 100 }], status: 400 }],
    isLong: isLongList,
    handle: (tenant, { body }) => {
      const id = queueBalances(tenant, body);
      return apiResponse(202, tenant.assumption('A-45') === 'string' ? id : { id });
    },
  }),
  endpoint({
    id: 'getPointBalancesStatus',
    method: 'GET',
    path: '/api/v3/point-accounts/balances/status/{id}',
    tag,
    summary: 'Says what became of balances that were set',
    responses: { 200: balanceSyncStatusSchema },
    errors: ['BalanceSyncNotFound'],
    assumptions: ['A-45'],
    retry: 'safe',
    deprecated: true,
    subjects: ({ params }) => subjectOf('balances', params['id']),
    examples: [{ params: { id: '00000000-0000-4000-8000-000000000000' }, status: 404 }],
    handle: (tenant, { params }) => {
      tenant.warn(
        'deprecated-endpoint',
        'GET /point-accounts/balances/status/{id} is deprecated: leave it to old workflows',
      );
      return apiResponse(200, getBalanceSyncStatus(tenant, params.id ?? ''));
    },
  }),
  endpoint({
    id: 'getPointDefinition',
    method: 'GET',
    path: '/api/v3/point-definitions/{definitionId}',
    tag,
    summary: 'Says how points of one kind are earned, and when they expire',
    responses: { 200: pointDefinitionSchema },
    errors: ['PointDefinitionNotFound'],
    retry: 'safe',
    examples: [{ params: { definitionId: '2' }, status: 200 }],
    handle: (tenant, { params }) => apiResponse(200, getPointDefinition(tenant, params.definitionId ?? '')),
  }),
];
