/** Shows the points of a contact over time, and which request each of them came of. */
import * as z from '../../core/validation/deferred-zod.ts';
import { upTo } from '../../core/validation/field-types.ts';
import { toTimestamp } from '../../core/time/clock.ts';
import { apiResponse } from '../../core/exchange/endpoint.ts';
import { changesOf } from '../../core/exchange/exchange.ts';
import type { Journal } from '../../core/exchange/journal.ts';
import { integerParameter } from '../../core/exchange/pagination.ts';
import type { Tenant } from '../../core/tenant/tenant.ts';
import { resolveContact } from '../../service/contacts/lookup.ts';
import { definitionOfAccount } from '../../service/points/ledger/ledger.ts';
import { listPointAccounts } from '../../service/points/lookup.ts';
import { pointsOverTime } from '../../service/points/points-over-time.ts';
import type { PointLevel } from '../../service/points/points-over-time.ts';
import { pointTransactions } from '../../service/points/tables.ts';
import type { PointAccount } from '../../service/points/tables.ts';
import { adminEndpoint, tenantParameter } from '../input/admin-context.ts';
import { atParameter, tenantAt } from '../input/past-request.ts';

const pointsQuery = z.object({
  ...tenantParameter,
  ...atParameter,
  limit: integerParameter(1)
    .max(...upTo(1000))
    .default(200)
    .describe('Shows this many transactions of each account, the latest'),
});

const levelSchema = z.strictObject({ at: z.string(), active: z.number(), pending: z.number() });

const changeSchema = z.strictObject({
  at: z.string(),
  amount: z.number(),
  type: z.string(),
  source: z.string(),
  description: z.string().nullable(),
  transactionId: z.string().nullable().describe('The key that the client gave it'),
  validFrom: z.string().nullable(),
  validTo: z.string().nullable(),
  request: z.string().nullable().describe('The request that it came of, itself or by a job, if the journal holds it'),
});

const accountSchema = z.strictObject({
  definition: z.string(),
  past: z.array(levelSchema).describe('Lists the points that the account held from each moment on'),
  future: z.array(levelSchema).describe('Lists the points that it will hold, if nothing more happens'),
  expiring: z.array(z.strictObject({ at: z.string(), amount: z.number() })),
  changes: z.array(changeSchema).describe('The oldest first'),
});

export const contactPointsSchema = z
  .strictObject({ id: z.guid(), now: z.string(), accounts: z.array(accountSchema) })
  .meta({ id: 'ContactPoints', description: 'Shows the points of a contact over time' });

const serializeLevel = ({ at, ...level }: PointLevel) => ({ at: toTimestamp(at), ...level });

/** Returns the request that created each point transaction, as far as the journal goes. */
function requestsByTransaction(journal: Journal): ReadonlyMap<string, string> {
  const requests = new Map<string, string>();
  for (const exchange of journal.exchanges()) {
    for (const { table, key, before } of changesOf(exchange)) {
      if (table === pointTransactions.name && before === undefined) requests.set(key, exchange.id);
    }
  }
  return requests;
}

function serializeAccount(
  tenant: Tenant,
  account: PointAccount,
  { limit, requests }: { readonly limit: number; readonly requests: ReadonlyMap<string, string> },
): z.infer<typeof accountSchema> {
  const { transactions, past, future, expiring } = pointsOverTime(tenant, account, limit);
  return {
    definition: definitionOfAccount(tenant, account).name,
    past: past.map(serializeLevel),
    future: future.map(serializeLevel),
    expiring: expiring.map(({ at, amount }) => ({ at: toTimestamp(at), amount })),
    changes: transactions.map(({ id, createdOn, amount, type, source, description, transactionId, ...rest }) => ({
      at: createdOn,
      amount,
      type,
      source,
      description,
      transactionId,
      validFrom: rest.validFrom,
      validTo: rest.validTo,
      request: requests.get(id) ?? null,
    })),
  };
}

export const contactPointsEndpoints = [
  adminEndpoint({
    id: 'getContactPoints',
    method: 'GET',
    path: '/__admin/contacts/{id}/points',
    tag: 'Control: contacts',
    summary:
      'Shows the points of a contact over time: active, pending and expiring, and the request that each change came of',
    query: pointsQuery,
    responses: { 200: contactPointsSchema },
    errors: ['ContactNotFound', 'MultipleMatches', 'NotFound', 'Conflict'],
    retry: 'safe',
    examples: [{ params: { id: '5a0e7c1e-0001-4000-8000-000000000001' }, status: 200 }],
    handle: async ({ tenant: present }, { params: { id = '' }, query: { at, limit } }) => {
      const tenant = await tenantAt(present, at);
      const contact = resolveContact(tenant, id);
      const requests = requestsByTransaction(present.journal);
      const accounts = listPointAccounts(tenant, contact.id);
      return apiResponse(200, {
        id: contact.id,
        now: toTimestamp(tenant.now()),
        accounts: accounts.map((account) => serializeAccount(tenant, account, { limit, requests })),
      });
    },
  }),
];
