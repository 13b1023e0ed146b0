/** Names challenges by their owner and definition, for the verdict. */
import { normalizeGuid } from '../../core/lib/random.ts';
import type { TenantContext } from '../../core/tenant/context.ts';
import { contactNames } from '../contacts/subjects.ts';
import { rowNames } from '../resource/subject-names.ts';
import type { SubjectNames } from '../resource/subject-names.ts';
import { findChallengeDefinition } from './lookup.ts';
import { challenges } from './schema.ts';
import type { Challenge } from './schema.ts';

const challengeName = (contact: string, definitionId: string): string => `challenge of ${contact} for ${definitionId}`;

const ownName = ({ contactId, definitionId }: Challenge): string => challengeName(`contact ${contactId}`, definitionId);

/** Returns the name of a definition that is named by its GUID or its number. */
const definitionKey = (tenant: TenantContext, id: string): string => findChallengeDefinition(tenant, id)?.id ?? id;

export const challengeSubjects: SubjectNames = {
  kinds: {
    challenge: (tenant, id) => {
      const challenge = tenant.get(challenges, normalizeGuid(id) ?? '');
      return [challenge ? ownName(challenge) : `challenge ${normalizeGuid(id) ?? id}`];
    },
    challengeOf: (tenant, id) => {
      const [contactId = '', definitionId = ''] = id.split('/');
      const key = definitionKey(tenant, definitionId);
      return contactNames(tenant, contactId).map((contact) => challengeName(contact, key));
    },
  },
  rows: [rowNames(challenges, (challenge) => [ownName(challenge)])],
};
