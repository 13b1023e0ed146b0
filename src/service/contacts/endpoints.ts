import * as z from '../../core/validation/deferred-zod.ts';
import { apiResponse, endpoint, isLongList } from '../../core/exchange/endpoint.ts';
import type { Endpoint } from '../../core/exchange/endpoint.ts';
import { fieldsOfSent, rowsOfSent, subjectOf } from '../../core/exchange/subject.ts';
import type { FieldSetting, SentContent, SentFields, Subject, WorkPiece } from '../../core/exchange/subject.ts';
import type { TenantContext } from '../../core/tenant/context.ts';
import { requiredText, text } from '../../core/validation/field-types.ts';
import { apiError } from '../errors/catalog.ts';
import { retailerContactFields, attributeErrors } from './attributes.ts';
import { getContactBatch, maxBulkContacts, queueContacts } from './bulk.ts';
import { getContact, lookUpContact } from './lookup.ts';
import { serializeContact } from './serialize.ts';
import { countContacts, createContact, updateContact, updateContactType } from './operations.ts';
import { contactBatchSchema, contactBody, contactSchema, lookupQuery } from './schema.ts';
import {
  areChangesShown,
  contactLookedUp,
  isContactShown,
  isContactTypeShown,
  isFoundByLookup,
  isIdShown,
} from './shown.ts';
import { fieldsSetByRow, fieldsSetOf, keySubjects, lookupSubjects, newContactPiece } from './subjects.ts';
import type { LookupQuery } from './schema.ts';

const tag = 'Contacts';
const otherFields = retailerContactFields;
const bulkBody = z.array(z.unknown(), { error: 'must be a list of contacts' });
const batchIdSchema = z.union([z.string(), z.object({ batchId: z.string() })]);
const lookupErrors = [
  'ContactNotFound',
  'InvalidSearchQuery',
  'InvalidEmailAddress',
  'InvalidPhoneNumber',
  'InvalidSocialSecurityNumber',
  'InvalidContactType',
  'MultipleMatches',
];
const updateErrors = ['NoData', 'NotFound', 'ValidationError', 'ApprovedContactWithKeyExists'];

/** Holds a contact of the default fixture. */
const astrid = '5a0e7c1e-0001-4000-8000-000000000001';

const namedByPath = ({ params }: SentContent): Subject[] => subjectOf('contact', params['contactId']);

const setByBody = (sent: SentContent): FieldSetting[] => fieldsSetOf(namedByPath(sent), fieldsOfSent(sent.body));

/** Names what a creation asks for: it is there when a second one would be refused, whatever its other fields. */
const newContact = 'a contact with its key and type';

/** a key that a contact has is refused to another. */
const hasKeys = ({ body }: SentContent): boolean => rowsOfSent(body).every((row) => keySubjects(row).length > 0);

/** Returns the row of a bulk of one; of several, no single response shows all. */
const onlyRowOf = (body: unknown): SentFields[] => {
  const rows = rowsOfSent(body);
  return rows.length === 1 ? rows : [];
};

/** Returns the bare id, or an object around it. */
const serializeBatchId = (tenant: TenantContext, batchId: string): unknown =>
  tenant.assumption('A-19') === 'object' ? { batchId } : batchId;

/** Finds a contact by id, or by a type and one key; neither or both is refused. */
function findContactForOverview(
  tenant: TenantContext,
  { contactId, ...lookup }: LookupQuery & { contactId?: string | undefined },
) {
  const { contactType, ...keys } = lookup;
  const isByKey = Object.values(keys).some((value) => value !== undefined);
  if (contactId === undefined ? contactType === undefined : isByKey) {
    const message = 'Name either contactId, or contactType together with one key such as email.';
    throw apiError('InvalidSearchQuery', { message });
  }
  return contactId === undefined ? lookUpContact(tenant, lookup) : getContact(tenant, contactId);
}

const newContactPieces = ({ body }: SentContent): WorkPiece[] => rowsOfSent(body).map(newContactPiece);

/** Returns the contact that a row of a bulk of changes names, by its id or a key. */
const subjectsOfRow = (row: SentFields): Subject[] => [...subjectOf('contact', row['id']), ...keySubjects(row)];

/** Tells the verdict what a bulk of changes is about. */
const bulkOfChanges = {
  readBack: ['getContactBatch', 'getContact', 'getContactOverview', 'getContactId'],
  subjects: ({ body }) => rowsOfSent(body).flatMap(subjectsOfRow),
  sets: ({ body }) => rowsOfSent(body).flatMap(fieldsSetByRow),
  isShownIn: (_, { body }, shown) =>
    onlyRowOf(body).some(({ id, ...changes }) => isIdShown(id, shown) && areChangesShown(changes, shown)),
} satisfies Partial<Endpoint>;

const createContacts: Endpoint = endpoint({
  id: 'createContacts',
  method: 'POST',
  path: '/api/v3/contacts/bulk',
  tag,
  summary: 'Queues contacts to be created; responds with the id of the batch',
  query: z.object({ contactType: text.optional() }),
  body: bulkBody,
  bodyRules: { maxItems: maxBulkContacts },
  documentedBody: z.array(contactBody),
  responses: { 202: batchIdSchema },
  errors: ['TooManyItems', 'InvalidContactType'],
  retry: 'unkeyed',
  readBack: ['getContactBatch', 'getContactId', 'getContact', 'getContactOverview', 'countContacts'],
  subjects: ({ body }) => rowsOfSent(body).flatMap(keySubjects),
  work: newContactPieces,
  refusesRepeat: hasKeys,
  wanted: newContact,
  isShownIn: (tenant, { query, body }, shown) =>
    onlyRowOf(body).some((row) => isContactShown(tenant, row['contactType'] ?? query['contactType'], shown)),
  judgedBy: (tenant, { body }) => {
    if (tenant.assumption('A-19') !== 'upsert') return createContacts;
    return rowsOfSent(body).every(({ id }) => id !== undefined) ? upsertById : upsert;
  },
  examples: [{ body: [{ firstName: 'Nils', email: 'nils.ny@example.com' }], status: 202 }],
  isLong: isLongList,
  handle: (tenant, { query, body }) => {
    const { batchId } = queueContacts(tenant, { action: 'create', contactType: query.contactType, items: body });
    return apiResponse(202, serializeBatchId(tenant, batchId));
  },
});

const { wanted: _wanted, work: _work, ...bulkByPost } = createContacts;

/** Is judged as PATCH is. To change a contact by its id again changes nothing. */
const upsertById: Endpoint = { ...bulkByPost, ...bulkOfChanges, retry: 'idempotent' };

/** A row that names nobody who is there creates a contact. */
const upsert: Endpoint = {
  ...upsertById,
  retry: createContacts.retry,
  work: newContactPieces,
  refusesRepeat: ({ body }) => rowsOfSent(body).every((row) => subjectsOfRow(row).length > 0),
};

export const contactEndpoints = [
  endpoint({
    id: 'getContactId',
    method: 'GET',
    path: '/api/v3/contacts/id',
    tag,
    summary: 'The id of the contact with an e-mail address, phone number or other key',
    query: lookupQuery,
    responses: { 200: z.union([z.guid(), z.object({ id: z.guid() })]) },
    errors: lookupErrors,
    assumptions: ['A-07', 'A-09'],
    retry: 'safe',
    subjects: ({ query }) => lookupSubjects(query),
    shows: contactLookedUp,
    canShow: isFoundByLookup,
    examples: [{ query: { email: 'astrid.lindqvist@example.com' }, status: 200 }],
    handle: (tenant, { query }) => {
      const { id } = lookUpContact(tenant, query);
      return apiResponse(200, tenant.assumption('A-08') === 'object' ? { id } : id);
    },
  }),
  endpoint({
    id: 'countContacts',
    method: 'GET',
    path: '/api/v3/contacts/count',
    tag,
    summary: 'Counts the contacts, of one contact type or of all',
    query: z.object({ contactType: text.optional() }),
    responses: { 200: z.number().int() },
    errors: ['InvalidContactType'],
    retry: 'safe',
    examples: [{ query: { contactType: 'Member' }, status: 200 }],
    handle: (tenant, { query }) => apiResponse(200, countContacts(tenant, query.contactType)),
  }),
  endpoint({
    id: 'createContact',
    method: 'POST',
    path: '/api/v3/contacts',
    tag,
    summary: 'Creates a contact',
    query: z.object({
      source: text.optional(),
      storeExternalId: text.optional(),
      createAsUnapproved: z.stringbool({ error: 'must be true or false' }).optional().meta({ type: 'boolean' }),
    }),
    body: contactBody,
    bodyRules: { extraFields: otherFields, extraErrors: attributeErrors },
    responses: { 201: contactSchema },
    errors: ['InvalidContactType', 'ValidationError', 'ApprovedContactWithKeyExists'],
    assumptions: ['A-11', 'A-12', 'A-13', 'A-14'],
    retry: 'unkeyed',
    readBack: ['getContactId', 'getContact', 'getContactOverview'],
    subjects: ({ body }) => keySubjects(fieldsOfSent(body)),
    work: newContactPieces,
    refusesRepeat: hasKeys,
    wanted: newContact,
    isShownIn: (tenant, { body }, shown) => isContactShown(tenant, fieldsOfSent(body)['contactType'], shown),
    examples: [
      {
        body: { firstName: 'Ella', lastName: 'Ek', email: 'ella.ek@example.com', mobilePhone: '+46701740699' },
        status: 201,
      },
    ],
    handle: (tenant, { query, body }) => apiResponse(201, serializeContact(tenant, createContact(tenant, body, query))),
  }),
  endpoint({
    id: 'getContact',
    method: 'GET',
    path: '/api/v3/contacts/{contactId}',
    tag,
    summary: "A contact's personal data, without transactions and promotions",
    responses: { 200: contactSchema },
    errors: ['ContactNotFound'],
    assumptions: ['A-53'],
    retry: 'safe',
    subjects: namedByPath,
    examples: [{ params: { contactId: astrid }, status: 200 }],
    handle: (tenant, { params }) =>
      apiResponse(200, serializeContact(tenant, getContact(tenant, params.contactId ?? ''))),
  }),
  endpoint({
    id: 'updateContact',
    method: 'PATCH',
    path: '/api/v3/contacts/{contactId}',
    tag,
    summary: 'Changes the attributes that the body names',
    body: contactBody,
    bodyRules: { unreadable: 'NoData', extraFields: otherFields, extraErrors: attributeErrors },
    responses: { 200: contactSchema, 202: contactSchema },
    errors: updateErrors,
    assumptions: ['A-11', 'A-17'],
    retry: 'idempotent',
    readBack: ['getContact', 'getContactOverview', 'getContactId'],
    subjects: namedByPath,
    sets: setByBody,
    isShownIn: (_, { params, body }, shown) => isIdShown(params['contactId'], shown) && areChangesShown(body, shown),
    examples: [{ params: { contactId: astrid }, body: { street: 'Storgatan 1' }, status: 200 }],
    handle: (tenant, { params, body }) => {
      const contact = updateContact(tenant, params.contactId ?? '', body);
      return apiResponse(tenant.assumption('A-16') === '202' ? 202 : 200, serializeContact(tenant, contact));
    },
  }),
  endpoint({
    id: 'setConsents',
    method: 'POST',
    path: '/api/v3/contacts/{contactId}',
    tag,
    summary: 'Sets consents of a contact, and other attributes that the body names',
    body: contactBody,
    bodyRules: { unreadable: 'NoData', extraFields: otherFields, extraErrors: attributeErrors },
    responses: { 200: contactSchema },
    errors: updateErrors,
    assumptions: ['A-17', 'A-18'],
    retry: 'idempotent',
    readBack: ['getContact', 'getContactOverview', 'getContactId'],
    subjects: namedByPath,
    sets: setByBody,
    isShownIn: (_, { params, body }, shown) => isIdShown(params['contactId'], shown) && areChangesShown(body, shown),
    examples: [
      {
        params: { contactId: astrid },
        body: { consents: [{ id: 'newsletter', value: true, source: 'POS', comment: 'asked at the till' }] },
        status: 200,
      },
    ],
    handle: (tenant, { params, body }) =>
      apiResponse(200, serializeContact(tenant, updateContact(tenant, params.contactId ?? '', body))),
  }),
  endpoint({
    id: 'updateContactType',
    method: 'POST',
    path: '/api/v3/contacts/{contactId}/updateContactType',
    tag,
    summary: 'Gives a contact another type, for example Member',
    query: z.object({ contactTypeId: requiredText }),
    responses: { 200: contactSchema },
    errors: ['NotFound', 'InvalidContactType', 'ValidationError', 'ApprovedContactWithKeyExists'],
    assumptions: ['A-13'],
    retry: 'idempotent',
    readBack: ['getContact', 'getContactOverview'],
    subjects: namedByPath,
    sets: (sent) => [{ contact: namedByPath(sent), field: 'contactType', value: sent.query['contactTypeId'] }],
    isShownIn: (_, { query }, shown) => isContactTypeShown(query['contactTypeId'], shown),
    examples: [{ params: { contactId: astrid }, query: { contactTypeId: 'Member' }, status: 200 }],
    handle: (tenant, { params, query }) =>
      apiResponse(
        200,
        serializeContact(tenant, updateContactType(tenant, params.contactId ?? '', query.contactTypeId)),
      ),
  }),
  createContacts,
  endpoint({
    id: 'updateContacts',
    method: 'PATCH',
    path: '/api/v3/contacts/bulk',
    tag,
    summary: 'Queues changes of contacts, each named by its id or a key; responds with the id of the batch',
    query: z.object({ contactType: text.optional() }),
    body: bulkBody,
    bodyRules: { maxItems: maxBulkContacts },
    documentedBody: z.array(contactBody.extend({ id: text.optional() }).meta({ id: 'ContactUpdate' })),
    responses: { 202: batchIdSchema },
    errors: ['TooManyItems', 'InvalidContactType'],
    retry: 'idempotent',
    ...bulkOfChanges,
    examples: [{ body: [{ id: astrid, countryCode: 'SE' }], status: 202 }],
    isLong: isLongList,
    handle: (tenant, { query, body }) => {
      const { batchId } = queueContacts(tenant, { action: 'update', contactType: query.contactType, items: body });
      return apiResponse(202, serializeBatchId(tenant, batchId));
    },
  }),
  endpoint({
    id: 'getContactBatch',
    method: 'GET',
    path: '/api/v3/contacts/bulk/status',
    tag,
    summary: 'Says what became of a batch of contacts, with the items that failed',
    query: z.object({ batchId: requiredText }),
    responses: { 200: contactBatchSchema },
    errors: ['BatchNotFound'],
    assumptions: ['A-19'],
    retry: 'safe',
    subjects: ({ query }) => subjectOf('batch', query['batchId']),
    examples: [{ query: { batchId: '00000000-0000-4000-8000-000000000000' }, status: 404 }],
    handle: (tenant, { query }) => apiResponse(200, getContactBatch(tenant, query.batchId)),
  }),
  endpoint({
    id: 'getContactOverview',
    method: 'GET',
    path: '/contactoverview',
    aliases: ['/api/v3/contactoverview'],
    tag,
    summary: 'Contact data with consents and preferences; total points are not part of it since v3',
    query: lookupQuery.extend({ contactId: text.optional() }),
    responses: { 200: contactSchema },
    errors: lookupErrors,
    assumptions: ['A-20'],
    retry: 'safe',
    subjects: ({ query }) => [...subjectOf('contact', query['contactId']), ...lookupSubjects(query)],
    examples: [{ query: { contactId: astrid }, status: 200 }],
    handle: (tenant, { query }) => apiResponse(200, serializeContact(tenant, findContactForOverview(tenant, query))),
  }),
];
