/** Names the contact of a receipt, for the verdict. */
import { fieldsOfSent, subjectOf } from '../../core/exchange/subject.ts';
import type { Subject } from '../../core/exchange/subject.ts';
import { matchKeyTypes } from '../contacts/match-keys.ts';
import { contactSubjectName } from '../contacts/subjects.ts';
import { rowNames } from '../resource/subject-names.ts';
import type { SubjectNames } from '../resource/subject-names.ts';
import { receipts } from './tables.ts';

/** Receipt rule 1 */
export function receiptContactSubjects(body: unknown): Subject[] {
  const { matchKey, matchKeyType } = fieldsOfSent(fieldsOfSent(body)['contact']);
  const named = String(matchKeyType).toLowerCase();
  const type = matchKeyTypes.find((known) => known.toLowerCase() === named);
  return subjectOf(type ?? 'contact', matchKey);
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
