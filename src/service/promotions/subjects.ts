/** Names promotion assignments and those who hold them, for the verdict. */
import { normalizeGuid } from '../../core/lib/random.ts';
import type { TenantContext } from '../../core/tenant/context.ts';
import { findContact } from '../contacts/lookup.ts';
import { contactSubjectName } from '../contacts/subjects.ts';
import { rowNames } from '../resource/subject-names.ts';
import type { SubjectNames } from '../resource/subject-names.ts';
import { findPromotion, listAssignedPromotions } from './assignments.ts';
import { onlyHolderOf } from './redemption.ts';
import { promotionAssignments } from './schema.ts';

const assignmentName = (id: string): string => `assignment ${id}`;

/** Returns the names of the assignments that a redemption may use up: the one that it names, or those of its promotion that its contact holds. */
function redeemableNames(tenant: TenantContext, ids: string): string[] {
  const [id = '', contactId] = ids.split('/');
  const promotion = findPromotion(tenant, id);
  if (!promotion) return [assignmentName(normalizeGuid(id) ?? id)];
  const holder = contactId === undefined ? onlyHolderOf(tenant, promotion) : findContact(tenant, contactId)?.id;
  if (holder === undefined) return [];
  return listAssignedPromotions(tenant, holder, promotion.id).map(({ assignment }) => assignmentName(assignment.id));
}

export const promotionSubjects: SubjectNames = {
  kinds: {
    assignment: (_, id) => [assignmentName(normalizeGuid(id) ?? id)],
    redeemable: redeemableNames,
    assignmentOwner: (tenant, id) => {
      const assignment = tenant.get(promotionAssignments, normalizeGuid(id) ?? '');
      return assignment ? [contactSubjectName(assignment.contactId)] : [];
    },
  },
  rows: [rowNames(promotionAssignments, ({ id }) => [assignmentName(id)])],
};
