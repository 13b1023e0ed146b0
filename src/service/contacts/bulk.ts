/** Handles many contacts at once, which are accepted as a whole and made or changed one by one. */
import { toTimestamp } from '../../core/time/clock.ts';
import type { ApiError } from '../../core/exchange/api-error.ts';
import { fieldErrors, unknownFields } from '../../core/validation/unknown-fields.ts';
import { normalizeGuid } from '../../core/lib/random.ts';
import { jobs } from '../../core/time/jobs.ts';
import type { Steps } from '../../core/time/steps.ts';
import type { TenantContext } from '../../core/tenant/context.ts';
import { didYouMeanAmong, limitedHints } from '../../core/lib/suggest.ts';
import { validationError, invalidFieldError, apiError } from '../errors/catalog.ts';
import { getContactType } from '../retailer/operations.ts';
import { retailerContactFields } from './attributes.ts';
import { matchKeyTypes } from './match-keys.ts';
import { getContact, findAllByKey, multipleMatchesError } from './lookup.ts';
import { applyContactChanges, createContact } from './operations.ts';
import { contactBatches, contactBody } from './schema.ts';
import type { ContactBatch, ContactBatchRow, ContactBody, ContactRow } from './schema.ts';

export const maxBulkContacts = 4000;

/** Describes the payload of a job of kind `contacts.bulk`. */
export interface BulkContactsPayload {
  readonly batchId: string;
  readonly action: 'create' | 'update';
  readonly contactType: string | undefined;
  readonly items: readonly unknown[];
}

/** Queues contacts to be made or changed. Throws `InvalidContactType`. */
export function queueContacts(tenant: TenantContext, bulk: Omit<BulkContactsPayload, 'batchId'>): ContactBatch {
  if (bulk.contactType !== undefined) getContactType(tenant, bulk.contactType);
  const batchId = tenant.newId();
  const { id: queuedAs } = tenant.enqueue('contacts.bulk', { ...bulk, batchId });
  return tenant.put(contactBatches, {
    batchId,
    queuedAs,
    status: 'Queued',
    createdOn: toTimestamp(tenant.now()),
    finishedOn: null,
    totalCount: bulk.items.length,
    succeededCount: 0,
    failedCount: 0,
    errors: [],
  });
}

function rowOf(tenant: TenantContext, batchId: string): ContactBatchRow {
  const row = tenant.get(contactBatches, normalizeGuid(batchId) ?? '');
  if (!row) throw apiError('BatchNotFound', { message: `There is no batch ${batchId}.` });
  return row;
}

/** Returns the status of a batch. Throws `BatchNotFound`. */
export function getContactBatch(tenant: TenantContext, batchId: string): ContactBatch {
  const { queuedAs, ...batch } = rowOf(tenant, batchId);
  const queued = tenant.get(jobs, queuedAs);
  if (batch.status !== 'Queued' || queued?.status === 'queued') return batch;
  return { ...batch, status: 'Failed', message: queued?.error ?? 'The queued work is gone, and was not done.' };
}

/** Does the queued work: an item that can't be done is noted and harms no other. */
export function* processContacts(
  tenant: TenantContext,
  { batchId, action, contactType, items }: BulkContactsPayload,
): Steps {
  const errors: ContactBatch['errors'] = [];
  const otherFields = new Set([...retailerContactFields(tenant), 'id']);
  for (const [index, item] of items.entries()) {
    const attempt = tenant.savepoint(() => {
      const body = readItem(tenant, item, { index, otherFields });
      if (action === 'update') return updateItem(tenant, body, contactType);
      const isUpsert = tenant.assumption('A-19') === 'upsert';
      const known = isUpsert ? findNamed(tenant, body, contactType) : undefined;
      if (!known) return createContact(tenant, { ...body, contactType: body.contactType ?? contactType });
      const { id: _, ...changes } = body;
      return applyContactChanges(tenant, known, changes);
    });
    if ('error' in attempt) errors.push(itemError(index, attempt.error));
    yield;
  }
  const [first] = errors;
  if (first) {
    const message = `${errors.length} of ${items.length} contacts are refused, first [${first.index}]: ${first.errorCode}`;
    tenant.warn('bulk-items-refused', `${message}; GET /api/v3/contacts/bulk/status?batchId=${batchId} lists them`);
  }
  tenant.put(contactBatches, {
    ...rowOf(tenant, batchId),
    status: errors.length > 0 ? 'CompletedWithErrors' : 'Completed',
    finishedOn: toTimestamp(tenant.now()),
    succeededCount: items.length - errors.length,
    failedCount: errors.length,
    errors,
  });
}

interface ItemReading {
  readonly index: number;
  /** Names the fields that an item may have besides those of a contact. */
  readonly otherFields: ReadonlySet<string>;
}

function readItem(tenant: TenantContext, item: unknown, { index, otherFields }: ItemReading): ContactBody {
  const parsed = contactBody.safeParse(item);
  if (!parsed.success) throw validationError(fieldErrors(parsed.error));
  const { fieldValidation } = tenant.settings;
  const unknown = fieldValidation === 'ignore' ? [] : unknownFields(contactBody, item, otherFields);
  const hint = limitedHints(didYouMeanAmong);
  for (const { name, known } of unknown) {
    const message = `is not a field that the service reads${hint(name, known)}`;
    if (fieldValidation === 'strict') throw invalidFieldError(name, message);
    tenant.warn('unknown-field', `"[${index}].${name}" ${message}`);
  }
  return parsed.data;
}

/** Changes the contact that the item names by its id or by the first key that finds one. */
function updateItem(tenant: TenantContext, sent: ContactBody, contactType: string | undefined): ContactRow {
  const contact = findNamed(tenant, sent, contactType);
  const { id: _, ...body } = sent;
  if (contact) return applyContactChanges(tenant, contact, body);
  const type = getContactType(tenant, body.contactType ?? contactType);
  throw apiError('ContactNotFound', { message: `No contact of type ${type.id} has the id or a key of this item.` });
}

function findNamed(
  tenant: TenantContext,
  { id, ...body }: ContactBody,
  contactType: string | undefined,
): ContactRow | undefined {
  if (typeof id === 'string') return getContact(tenant, id);
  const type = getContactType(tenant, body.contactType ?? contactType);
  for (const keyType of [type.keyAttribute, ...matchKeyTypes]) {
    const value = body[keyType];
    const found = typeof value === 'string' ? findAllByKey(tenant, type.id, keyType, value) : [];
    if (found.length > 1) throw multipleMatchesError(found);
    if (found[0]) return found[0];
  }
  return undefined;
}

const itemError = (
  index: number,
  { code, message, details, validationErrors }: ApiError,
): ContactBatch['errors'][number] => ({
  index,
  errorCode: code,
  message,
  ...(details && { messageDetails: { ...details } }),
  ...(validationErrors && { validationErrors: [...validationErrors] }),
});
