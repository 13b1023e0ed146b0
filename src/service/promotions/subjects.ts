/** Names promotion assignments and those who hold them, for the verdict. */
import { normalizeGuid } from '../../core/lib/random.ts';
import { contactSubjectName } from '../contacts/subjects.ts';
import { rowNames } from '../resource/subject-names.ts';
import type { SubjectNames } from '../resource/subject-names.ts';
import { promotionAssignments } from './schema.ts';

export const promotionSubjects: SubjectNames = {
  kinds: {
    assignment: (_, id) => [`assignment ${normalizeGuid(id) ?? id}`],
    assignmentOwner: (tenant, id) => {
      const assignment = tenant.get(promotionAssignments, normalizeGuid(id) ?? '');
      return assignment ? [contactSubjectName(assignment.contactId)] : [];
    },
  },
  rows: [rowNames(promotionAssignments, ({ id }) => [`assignment ${id}`])],
};
