/** Names the contact of a receipt, for the verdict. */
import { fieldsOfSent, subjectOf } from '../../core/exchange/subject.ts';
import { canonicalJson } from '../../core/exchange/operation-key.ts';
import type { Subject, WorkPiece } from '../../core/exchange/subject.ts';
import { matchKeyTypes } from '../contacts/match-keys.ts';
import { contactSubjectName } from '../contacts/subjects.ts';
import { rowNames } from '../resource/subject-names.ts';
import type { SubjectNames } from '../resource/subject-names.ts';
import { receipts } from './tables.ts';

/** Returns the names of the contact that a receipt is about (Receipt rule 1). */
export function receiptContactSubjects(body: unknown): Subject[] {
  const { matchKey, matchKeyType } = fieldsOfSent(fieldsOfSent(body)['contact']);
  const named = String(matchKeyType).toLowerCase();
  const type = matchKeyTypes.find((known) => known.toLowerCase() === named);
  return subjectOf(type ?? 'contact', matchKey);
}

/** Describes what a receipt or an order says was bought, by whom and where. */
export function purchasePiece(kind: string, body: unknown): WorkPiece {
  const { items, totalGrossPrice, storeExternalId, storeId, currency } = fieldsOfSent(body);
  const bought = canonicalJson([items, totalGrossPrice, storeExternalId ?? storeId, currency]);
  return { subject: receiptContactSubjects(body), effect: `${kind} ${bought}` };
}

export const receiptSubjects: SubjectNames = {
  kinds: {},
  rows: [
    rowNames(receipts, ({ id, contactId }) => [
      `receipt ${id}`,
      ...(contactId === null ? [] : [contactSubjectName(contactId)]),
    ]),
  ],
};
