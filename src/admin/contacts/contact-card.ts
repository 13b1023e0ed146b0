/** Shows everything that the sim knows of one contact, with the latest items of each list. */
import * as z from '../../core/validation/deferred-zod.ts';
import { upTo } from '../../core/validation/field-types.ts';
import { toTimestamp } from '../../core/time/clock.ts';
import { apiResponse } from '../../core/exchange/endpoint.ts';
import { integerParameter } from '../../core/exchange/pagination.ts';
import type { Tenant } from '../../core/tenant/tenant.ts';
import { tenantPrefix } from '../../core/tenant/registry.ts';
import { resolveContact } from '../../service/contacts/lookup.ts';
import { contactRowSchema } from '../../service/contacts/schema.ts';
import type { ContactRow } from '../../service/contacts/schema.ts';
import { integerIdSchema } from '../../service/resource/card-section.ts';
import { fromResources } from '../../service/resources.ts';
import type { ResourceCard } from '../../service/resources.ts';
import { isPointFollower } from '../../service/points/point-follower.ts';
import { requestPointHistory, pointHistoryItem } from '../../webhooks/point-history.ts';
import { adminEndpoint, tenantParameter } from '../input/admin-context.ts';
import type { AdminContext } from '../input/admin-context.ts';
import { atParameter, tenantAt } from '../input/past-request.ts';

const cardQuery = z.object({
  ...tenantParameter,
  ...atParameter,
  limit: integerParameter(1)
    .max(...upTo(1000))
    .default(20)
    .describe('Shows this many items of each list, the latest first'),
});

/** Holds what each noun of the service adds to the card. */
const sections = fromResources((noun) => noun.card && Object.entries(noun.card()));

const baseSchema = z.strictObject({
  id: z.guid(),
  integerId: integerIdSchema.nullable().describe('The memberNumber, if that is an integer (A-59)'),
  now: z.string().describe("On the tenant's clock"),
  contact: contactRowSchema.omit({ id: true, consents: true }),
});

const historySchema = z
  .strictObject({
    items: z.array(pointHistoryItem),
    note: z.string().nullable().describe('The reason why there are none; null if the point master responded'),
  })
  .nullable()
  .describe('The history from the point master; null if the service follows none');

const cardSchema = baseSchema
  .extend(Object.fromEntries(sections.map(([key, { schema }]) => [key, schema])))
  .extend({ pointHistory: historySchema })
  .meta({ id: 'ContactCard', description: 'All that the sim knows of a contact' });

/** Holds everything that the simulator knows of a contact. */
export type ContactCard = z.infer<typeof baseSchema> & ResourceCard & { pointHistory: z.infer<typeof historySchema> };

/** Returns the memberNumber as the integer that a client would send. */
function integerOf({ attributes: { memberNumber } }: ContactRow): number | null {
  const integer = Number(memberNumber);
  return Number.isSafeInteger(integer) && String(integer) === memberNumber ? integer : null;
}

function serializeCard(tenant: Tenant, id: string, limit: number): Omit<ContactCard, 'pointHistory'> {
  const found = resolveContact(tenant, id);
  const { id: contactId, consents: _, ...contact } = found;
  const self = { path: `${tenantPrefix(tenant.name)}/api/v3/contacts/${contactId}`, query: {} };
  const read = sections.map(([key, section]) => [key, section.read({ tenant, contactId, limit, self })]);
  return {
    id: contactId,
    integerId: integerOf(found),
    now: toTimestamp(tenant.now()),
    contact,
    // The sections that the type lists, read by themselves.
    ...(Object.fromEntries(read) as ResourceCard),
  };
}

/** Fetches the history of a contact from the point master, if the service follows one. */
async function historyOf(
  { tenant, signal }: AdminContext,
  contactId: string,
  at: string | undefined,
): Promise<ContactCard['pointHistory']> {
  if (!isPointFollower(tenant)) return null;
  if (at !== undefined)
    return { items: [], note: 'The point master tells what it knows now, and not what it knew then.' };
  const { pointMasterUrl: url } = tenant.settings;
  if (url === undefined) {
    return {
      items: [],
      note: 'The point history is not fetched: set pointMasterUrl to the address of the point master.',
    };
  }
  const { items, note } = await requestPointHistory({ url, contactId, signal });
  return { items: [...items], note };
}

export const contactCardEndpoints = [
  adminEndpoint({
    id: 'getContactCard',
    method: 'GET',
    path: '/__admin/contacts/{id}/card',
    tag: 'Control: contacts',
    summary: 'Shows all that the sim knows of a contact, by its id or its memberNumber, with its ids as integers too',
    query: cardQuery,
    responses: { 200: cardSchema },
    errors: ['ContactNotFound', 'MultipleMatches', 'NotFound', 'Conflict'],
    retry: 'safe',
    examples: [{ params: { id: '5a0e7c1e-0001-4000-8000-000000000001' }, status: 200 }],
    handle: async (context, { params: { id = '' }, query: { limit, at } }) => {
      const card = serializeCard(await tenantAt(context.tenant, at), id, limit);
      return apiResponse(200, { ...card, pointHistory: await historyOf(context, card.id, at) });
    },
  }),
];
