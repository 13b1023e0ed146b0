/** Takes receipts that came in a file by the rules that those of POST /receipts follow (Receipt rule 5, A-67). */
import type { FieldError } from '../../core/exchange/api-error.ts';
import type { TenantContext } from '../../core/tenant/context.ts';
import { forEachInSteps } from '../../core/time/steps.ts';
import type { Steps } from '../../core/time/steps.ts';
import { didYouMean } from '../../core/lib/suggest.ts';
import { examineItems, parseWithin } from '../../core/validation/examined-items.ts';
import { missingFieldErrors } from '../../core/validation/required-fields.ts';
import { flattenUnionIssue, issueFieldError, unknownFieldsInTurns } from '../../core/validation/unknown-fields.ts';
import { createContact } from '../contacts/operations.ts';
import { contactBody } from '../contacts/schema.ts';
import { unknownStoreMessage } from '../retailer/operations.ts';
import { contactTypes } from '../retailer/schema.ts';
import { matchContact, unmatchedReason } from '../receipts/contact-match.ts';
import { admitReceipt, recordReceipt } from '../receipts/operations.ts';
import { requiredReceiptFields } from '../receipts/required-fields.ts';
import { findSignErrors } from '../receipts/return-signs.ts';
import { receiptBody } from '../receipts/schema.ts';
import type { ReceiptBody } from '../receipts/schema.ts';

/** Holds a receipt of a file as far as it could be read. */
export interface ReadReceipt {
  /** Holds the receipt; undefined when there are errors. */
  readonly body: ReceiptBody | undefined;
  readonly errors: readonly FieldError[];
  /** Lists the fields that the service does not read. */
  readonly unread: readonly FieldError[];
}

/** Reads a receipt by the schema of POST /receipts, up to some thousand mistakes. Nobody else may hold what was sent. */
export function* readReceipt({ settings }: TenantContext, sent: unknown): Steps<ReadReceipt> {
  const required = requiredReceiptFields((id) => settings.assumptions[id] ?? 'default');
  yield* examineItems(receiptBody, sent, {});
  const { parsed } = parseWithin(receiptBody, sent, {});
  yield;
  const unknown: FieldError[] = [];
  yield* forEachInSteps(yield* unknownFieldsInTurns(receiptBody, sent), ({ path, name, known }) => {
    const errorDescription = `is not an element that the service reads${didYouMean(name, known)}`;
    unknown.push({ field: path, errorDescription });
  });
  const wrong: FieldError[] = [];
  yield* forEachInSteps(parsed.error?.issues ?? [], (issue) => {
    for (const one of flattenUnionIssue(issue)) wrong.push(issueFieldError(one, sent));
  });
  const isStrict = settings.fieldValidation === 'strict';
  const errors = [...wrong, ...(required ? missingFieldErrors(sent, required) : []), ...(isStrict ? unknown : [])];
  const unread = isStrict || settings.fieldValidation === 'ignore' ? [] : unknown;
  return { body: errors.length === 0 ? parsed.data : undefined, errors, unread };
}

/** Returns the reasons for which a receipt of a file is refused, in addition to those of its schema. */
export function importErrors(tenant: TenantContext, body: ReceiptBody): FieldError[] {
  const { contactType } = body.contact;
  const store = unknownStoreMessage(tenant, 'storeExternalId', body.storeExternalId);
  const isUnknownType = contactType && !tenant.find(contactTypes, 'id', contactType.toLowerCase());
  const types = isUnknownType ? [...tenant.all(contactTypes)].map(({ id }) => id) : [];
  return [
    ...(store === undefined ? [] : [{ field: 'storeExternalId', errorDescription: store }]),
    ...(isUnknownType
      ? [
          {
            field: 'contact.contactType',
            errorDescription: `there is no contact type "${contactType}"; there are ${types.join(', ')}`,
          },
        ]
      : []),
    ...(tenant.assumption('A-23') === 'refuse' ? findSignErrors(body) : []),
  ];
}

export type ImportOutcome = 'imported' | 'repeated' | 'unknownContact';

/** Records a receipt of a file, without a queue as its batch has been that; warns of what it ignores. */
export function* importReceipt(tenant: TenantContext, body: ReceiptBody): Steps<ImportOutcome> {
  if (!admitReceipt(tenant, body)) return 'repeated';
  const variant = tenant.assumption('A-67');
  if (variant !== 'keep' && matchContact(tenant, body.contact) === undefined) {
    if (variant !== 'create' || !createFromKey(tenant, body)) {
      tenant.warn('unknown-contact', `${unmatchedReason(tenant, body.contact)}; the receipt is ignored`);
      return 'unknownContact';
    }
  }
  yield;
  yield* recordReceipt(tenant, body, { createdAt: tenant.now() });
  return 'imported';
}

/** Creates the contact that a receipt names by its only key; returns false where that makes no contact. */
function createFromKey(tenant: TenantContext, { contact }: ReceiptBody): boolean {
  const { matchKey, matchKeyType, contactType } = contact;
  if (matchKeyType === 'contactId') return false;
  const body = contactBody.safeParse({ [matchKeyType]: matchKey, ...(contactType && { contactType }) });
  return body.success && 'result' in tenant.savepoint(() => createContact(tenant, body.data));
}
