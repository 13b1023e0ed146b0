/** The card of a contact: all that the sim knows of one, each part as far as it is asked for. */
import * as z from 'zod';
import { toTimestamp } from '../core/time/clock.ts';
import { apiResponse } from '../core/exchange/endpoint.ts';
import { integerParameter } from '../core/exchange/pagination.ts';
import type { Table } from '../core/state/state.ts';
import type { Tenant } from '../core/tenant/tenant.ts';
import { listAssignedChallenges as challengesHeldBy } from '../service/challenges/lookup.ts';
import type { AssignedChallenge } from '../service/challenges/lookup.ts';
import { serializeChallenge } from '../service/challenges/serialize.ts';
import { challenges, challengeResponseSchema } from '../service/challenges/schema.ts';
import { contactConsentSchema } from '../service/consents/schema.ts';
import { resolveContact } from '../service/contacts/lookup.ts';
import { contactRowSchema } from '../service/contacts/schema.ts';
import type { ContactRow } from '../service/contacts/schema.ts';
import { communicationSchema, orderRowSchema, orders, outbox } from '../service/orders/schema.ts';
import { listPointAccounts } from '../service/points/lookup.ts';
import { isPointFollower } from '../service/points/point-follower.ts';
import { definitionOfAccount } from '../service/points/ledger/ledger.ts';
import { serializeAccount, serializePointTransaction as showMove } from '../service/points/serialize.ts';
import { pointTransactions } from '../service/points/tables.ts';
import type { PointAccount } from '../service/points/tables.ts';
import { pointAccountSchema, pointTransactionSchema as moveSchema } from '../service/points/schema.ts';
import { findAssignedPromotion } from '../service/promotions/assignments.ts';
import { serializePromotionAssignment } from '../service/promotions/serialize.ts';
import { promotionAssignments, promotionAssignmentResponseSchema } from '../service/promotions/schema.ts';
import type { PromotionAssignment } from '../service/promotions/schema.ts';
import { promotionValidities, validityOf } from '../service/promotions/validity.ts';
import { serializeTransaction } from '../service/receipts/serialize.ts';
import { receipts } from '../service/receipts/tables.ts';
import { transactionSchema } from '../service/receipts/schema.ts';
import { rewardVouchers, rewardVoucherSchema } from '../service/vouchers/schema.ts';
import { fetchPointHistory, pointHistoryItem } from '../webhooks/point-history.ts';
import { adminEndpoint, tenantParameter } from './input/admin-context.ts';
import type { AdminContext } from './input/admin-context.ts';

const cardQuery = z.object({
  ...tenantParameter,
  limit: integerParameter(1)
    .max(1000, { error: 'must be at most 1000' })
    .default(20)
    .describe('How many to show of each list, the latest first'),
});

/** A list of which the latest are shown. */
const latestListSchema = <Item extends z.ZodType>(item: Item) =>
  z.strictObject({ totalCount: z.int(), items: z.array(item) });

const integerId = z.int().describe('Taken in the place of its id where the specification declares an integer');

const cardSchema = z
  .strictObject({
    id: z.guid(),
    integerId: integerId.nullable().describe('The memberNumber, if that is an integer (A-59)'),
    now: z.string().describe("On the tenant's clock"),
    contact: contactRowSchema.omit({ id: true, consents: true }),
    consents: z.array(contactConsentSchema),
    pointAccounts: z.array(
      pointAccountSchema
        .extend({ integerId, definition: z.string(), transactions: latestListSchema(moveSchema) })
        .omit({ links: true }),
    ),
    rewardVouchers: latestListSchema(rewardVoucherSchema),
    promotions: latestListSchema(
      promotionAssignmentResponseSchema.extend({
        assignedOn: z.string(),
        validity: z.enum(promotionValidities),
        receiptId: z.string().nullable().describe('The receipt that it was used on'),
      }),
    ),
    challenges: latestListSchema(
      challengeResponseSchema.extend({ definition: z.strictObject({ id: z.guid(), integerId, name: z.string() }) }),
    ),
    receipts: latestListSchema(transactionSchema),
    orders: latestListSchema(orderRowSchema),
    communications: latestListSchema(communicationSchema),
    pointHistory: z
      .strictObject({
        items: z.array(pointHistoryItem),
        note: z.string().nullable().describe('Why there are none; null when the point master has answered'),
      })
      .nullable()
      .describe('What the point master tells; null unless the service follows one'),
  })
  .meta({ id: 'ContactCard', description: 'All that the sim knows of a contact' });

export type ContactCard = z.infer<typeof cardSchema>;

interface CardContext {
  readonly tenant: Tenant;
  readonly limit: number;
  /** What links start from: the tenant's own path. */
  readonly self: { readonly path: string; readonly query: Readonly<Record<string, string>> };
}

interface ListSource<Row> {
  readonly table: Table<Row>;
  /** The list of the table, and whose part of it. */
  readonly by?: string;
  readonly of: string;
}

/** The latest rows of a list, in the looks of the card. */
function latestItems<Row, Item>(
  { tenant, limit }: CardContext,
  { table, by = 'byContact', of }: ListSource<Row>,
  look: (row: Row) => Item | undefined,
): { totalCount: number; items: Item[] } {
  const list = tenant.list(table, by, of);
  const rows = list.page(0, limit, 'descending').flatMap((key) => tenant.get(table, key) ?? []);
  return { totalCount: list.size, items: rows.flatMap((row) => look(row) ?? []) };
}

function serializePointAccount(shown: CardContext, account: PointAccount): ContactCard['pointAccounts'][number] {
  const { tenant, self } = shown;
  const { links: _, ...looks } = serializeAccount(tenant, account, self);
  const moves = { table: pointTransactions, by: 'createdOn', of: account.id };
  return {
    ...looks,
    integerId: account.number,
    definition: definitionOfAccount(tenant, account).name,
    transactions: latestItems(shown, moves, (move) => showMove(tenant, move, self)),
  };
}

function serializePromotion({ tenant }: CardContext, { id, assignedOn, receiptId }: PromotionAssignment) {
  const held = findAssignedPromotion(tenant, id);
  return (
    held && { ...serializePromotionAssignment(held), assignedOn, validity: validityOf(held, tenant.now()), receiptId }
  );
}

function serializeHeldChallenge(
  { tenant, self }: CardContext,
  held: AssignedChallenge,
): ContactCard['challenges']['items'][number] {
  const { id, number, name } = held.definition;
  const looks = serializeChallenge(held, { self, now: tenant.now(), challengeIdOf: 'challenge' });
  return { ...looks, definition: { id, integerId: number, name } };
}

function serializeChallenges(shown: CardContext, of: string): ContactCard['challenges'] {
  const { tenant, limit } = shown;
  const totalCount = tenant.list(challenges, 'byContact', of).size;
  const held = challengesHeldBy(tenant, of, { offset: Math.max(0, totalCount - limit), count: limit });
  return { totalCount, items: held.toReversed().map((one) => serializeHeldChallenge(shown, one)) };
}

/** The memberNumber as the integer that a client would send. */
function integerOf({ attributes: { memberNumber } }: ContactRow): number | null {
  const integer = Number(memberNumber);
  return Number.isSafeInteger(integer) && String(integer) === memberNumber ? integer : null;
}

function serializeCard(tenant: Tenant, id: string, limit: number): Omit<ContactCard, 'pointHistory'> {
  const found = resolveContact(tenant, id);
  const { id: of, consents, ...contact } = found;
  const prefix = tenant.name === 'default' ? '' : `/t/${tenant.name}`;
  const shown: CardContext = { tenant, limit, self: { path: `${prefix}/api/v3/contacts/${of}`, query: {} } };
  return {
    id: of,
    integerId: integerOf(found),
    now: toTimestamp(tenant.now()),
    contact,
    consents: [...consents],
    pointAccounts: listPointAccounts(tenant, of).map((account) => serializePointAccount(shown, account)),
    rewardVouchers: latestItems(shown, { table: rewardVouchers, of }, (voucher) => voucher),
    promotions: latestItems(shown, { table: promotionAssignments, of }, (assignment) =>
      serializePromotion(shown, assignment),
    ),
    challenges: serializeChallenges(shown, of),
    receipts: latestItems(shown, { table: receipts, of }, (receipt) => serializeTransaction(tenant, receipt)),
    orders: latestItems(shown, { table: orders, of }, (order) => order),
    communications: latestItems(shown, { table: outbox, of }, (sent) => sent),
  };
}

/** What the point master tells of a contact, if there is one to ask. */
async function historyOf({ tenant, signal }: AdminContext, contactId: string): Promise<ContactCard['pointHistory']> {
  if (!isPointFollower(tenant)) return null;
  const { pointMasterUrl: url } = tenant.settings;
  if (url === undefined) {
    return { items: [], note: 'Nobody is asked: set pointMasterUrl to the address of the point master.' };
  }
  const { items, note } = await fetchPointHistory({ url, contactId, signal });
  return { items: [...items], note };
}

export const contactCardEndpoints = [
  adminEndpoint({
    id: 'getContactCard',
    method: 'GET',
    path: '/__admin/contacts/{id}/card',
    tag: 'Control: contacts',
    summary:
      'All that the sim knows of a contact, by its id or its memberNumber, with the integers that its ids go by as well',
    query: cardQuery,
    responses: { 200: cardSchema },
    errors: ['ContactNotFound', 'MultipleMatches'],
    retry: 'safe',
    examples: [{ params: { id: '5a0e7c1e-0001-4000-8000-000000000001' }, status: 200 }],
    handle: async (control, { params: { id = '' }, query: { limit } }) => {
      const card = serializeCard(control.tenant, id, limit);
      return apiResponse(200, { ...card, pointHistory: await historyOf(control, card.id) });
    },
  }),
];
