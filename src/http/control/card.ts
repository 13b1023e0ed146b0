/** The card of a contact: all that the sim knows of one, each part as far as it is asked for. */
import * as z from 'zod';
import { toTimestamp } from '../../core/clock.ts';
import { answer } from '../../core/endpoint.ts';
import { wholeFrom } from '../../core/page.ts';
import type { Table } from '../../core/state.ts';
import type { Tenant } from '../../core/tenant.ts';
import { heldBy as challengesHeldBy } from '../../resources/challenges/lookup.ts';
import type { HeldChallenge } from '../../resources/challenges/lookup.ts';
import { showChallenge } from '../../resources/challenges/looks.ts';
import { challenges, shownChallengeSchema } from '../../resources/challenges/schema.ts';
import { contactConsentSchema } from '../../resources/consents/schema.ts';
import { contactMeant } from '../../resources/contacts/lookup.ts';
import { contactRowSchema } from '../../resources/contacts/schema.ts';
import type { ContactRow } from '../../resources/contacts/schema.ts';
import { communicationSchema, orderRowSchema, orders, outbox } from '../../resources/orders/schema.ts';
import { accountsOf } from '../../resources/points/accounts.ts';
import { isPointFollower } from '../../resources/points/follower.ts';
import { definitionOf } from '../../resources/points/ledger.ts';
import { showAccount, showTransaction as showMove } from '../../resources/points/looks.ts';
import { pointTransactions } from '../../resources/points/rows.ts';
import type { PointAccount } from '../../resources/points/rows.ts';
import { accountSchema, transactionSchema as moveSchema } from '../../resources/points/wire.ts';
import { heldById } from '../../resources/promotions/held.ts';
import { showAssignment } from '../../resources/promotions/looks.ts';
import { promotionAssignments, shownAssignmentSchema } from '../../resources/promotions/schema.ts';
import type { Assignment } from '../../resources/promotions/schema.ts';
import { validities, validityOf } from '../../resources/promotions/validity.ts';
import { showTransaction } from '../../resources/receipts/looks.ts';
import { receipts } from '../../resources/receipts/row.ts';
import { transactionSchema } from '../../resources/receipts/schema.ts';
import { rewardVouchers, rewardVoucherSchema } from '../../resources/vouchers/schema.ts';
import { fetchPointHistory, pointHistoryItem } from '../../webhooks/point-history.ts';
import { controlEndpoint, tenantParameter } from './control.ts';
import type { Control } from './control.ts';

const cardQuery = z.object({
  ...tenantParameter,
  limit: wholeFrom(1)
    .max(1000, { error: 'must be at most 1000' })
    .default(20)
    .describe('How many to show of each list, the latest first'),
});

/** A list of which the latest are shown. */
const part = <Item extends z.ZodType>(item: Item) => z.strictObject({ totalCount: z.int(), items: z.array(item) });

const integerId = z.int().describe('Taken in the place of its id where the specification declares an integer');

const cardSchema = z
  .strictObject({
    id: z.guid(),
    integerId: integerId.nullable().describe('The memberNumber, if that is an integer (A-59)'),
    now: z.string().describe("On the tenant's clock"),
    contact: contactRowSchema.omit({ id: true, consents: true }),
    consents: z.array(contactConsentSchema),
    pointAccounts: z.array(
      accountSchema.extend({ integerId, definition: z.string(), transactions: part(moveSchema) }).omit({ links: true }),
    ),
    rewardVouchers: part(rewardVoucherSchema),
    promotions: part(
      shownAssignmentSchema.extend({
        assignedOn: z.string(),
        validity: z.enum(validities),
        receiptId: z.string().nullable().describe('The receipt that it was used on'),
      }),
    ),
    challenges: part(
      shownChallengeSchema.extend({ definition: z.strictObject({ id: z.guid(), integerId, name: z.string() }) }),
    ),
    receipts: part(transactionSchema),
    orders: part(orderRowSchema),
    communications: part(communicationSchema),
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

interface Shown {
  readonly tenant: Tenant;
  readonly limit: number;
  /** What links start from: the tenant's own path. */
  readonly self: { readonly path: string; readonly query: Readonly<Record<string, string>> };
}

interface Listed<Row> {
  readonly table: Table<Row>;
  /** The list of the table, and whose part of it. */
  readonly by?: string;
  readonly of: string;
}

/** The latest rows of a list, in the looks of the card. */
function latest<Row, Item>(
  { tenant, limit }: Shown,
  { table, by = 'byContact', of }: Listed<Row>,
  look: (row: Row) => Item | undefined,
): { totalCount: number; items: Item[] } {
  const list = tenant.list(table, by, of);
  const rows = list.page(0, limit, 'descending').flatMap((key) => tenant.get(table, key) ?? []);
  return { totalCount: list.size, items: rows.flatMap((row) => look(row) ?? []) };
}

function showPointAccount(shown: Shown, account: PointAccount): ContactCard['pointAccounts'][number] {
  const { tenant, self } = shown;
  const { links: _, ...looks } = showAccount(tenant, account, self);
  const moves = { table: pointTransactions, by: 'createdOn', of: account.id };
  return {
    ...looks,
    integerId: account.number,
    definition: definitionOf(tenant, account).name,
    transactions: latest(shown, moves, (move) => showMove(tenant, move, self)),
  };
}

function showPromotion({ tenant }: Shown, { id, assignedOn, receiptId }: Assignment) {
  const held = heldById(tenant, id);
  return held && { ...showAssignment(held), assignedOn, validity: validityOf(held, tenant.now()), receiptId };
}

function showHeldChallenge({ tenant, self }: Shown, held: HeldChallenge): ContactCard['challenges']['items'][number] {
  const { id, number, name } = held.definition;
  const looks = showChallenge(held, { self, now: tenant.now(), challengeIdOf: 'challenge' });
  return { ...looks, definition: { id, integerId: number, name } };
}

function showChallenges(shown: Shown, of: string): ContactCard['challenges'] {
  const { tenant, limit } = shown;
  const totalCount = tenant.list(challenges, 'byContact', of).size;
  const held = challengesHeldBy(tenant, of, { offset: Math.max(0, totalCount - limit), count: limit });
  return { totalCount, items: held.toReversed().map((one) => showHeldChallenge(shown, one)) };
}

/** The memberNumber as the integer that a client would send. */
function integerOf({ attributes: { memberNumber } }: ContactRow): number | null {
  const integer = Number(memberNumber);
  return Number.isSafeInteger(integer) && String(integer) === memberNumber ? integer : null;
}

function showCard(tenant: Tenant, id: string, limit: number): Omit<ContactCard, 'pointHistory'> {
  const found = contactMeant(tenant, id);
  const { id: of, consents, ...contact } = found;
  const prefix = tenant.name === 'default' ? '' : `/t/${tenant.name}`;
  const shown: Shown = { tenant, limit, self: { path: `${prefix}/api/v3/contacts/${of}`, query: {} } };
  return {
    id: of,
    integerId: integerOf(found),
    now: toTimestamp(tenant.now()),
    contact,
    consents: [...consents],
    pointAccounts: accountsOf(tenant, of).map((account) => showPointAccount(shown, account)),
    rewardVouchers: latest(shown, { table: rewardVouchers, of }, (voucher) => voucher),
    promotions: latest(shown, { table: promotionAssignments, of }, (assignment) => showPromotion(shown, assignment)),
    challenges: showChallenges(shown, of),
    receipts: latest(shown, { table: receipts, of }, (receipt) => showTransaction(tenant, receipt)),
    orders: latest(shown, { table: orders, of }, (order) => order),
    communications: latest(shown, { table: outbox, of }, (sent) => sent),
  };
}

/** What the point master tells of a contact, if there is one to ask. */
async function historyOf({ tenant, signal }: Control, contactId: string): Promise<ContactCard['pointHistory']> {
  if (!isPointFollower(tenant)) return null;
  const { pointMasterUrl: url } = tenant.settings;
  if (url === undefined) {
    return { items: [], note: 'Nobody is asked: set pointMasterUrl to the address of the point master.' };
  }
  const { items, note } = await fetchPointHistory({ url, contactId, signal });
  return { items: [...items], note };
}

export const cardEndpoints = [
  controlEndpoint({
    id: 'getContactCard',
    method: 'GET',
    path: '/__admin/contacts/{id}/card',
    tag: 'Control: contacts',
    summary:
      'All that the sim knows of a contact, by its id or its memberNumber, with the integers that its ids go by as well',
    query: cardQuery,
    answers: { 200: cardSchema },
    refusals: ['ContactNotFound', 'MultipleMatches'],
    retry: 'read',
    examples: [{ params: { id: '5a0e7c1e-0001-4000-8000-000000000001' }, status: 200 }],
    handle: async (control, { params: { id = '' }, query: { limit } }) => {
      const card = showCard(control.tenant, id, limit);
      return answer(200, { ...card, pointHistory: await historyOf(control, card.id) });
    },
  }),
];
