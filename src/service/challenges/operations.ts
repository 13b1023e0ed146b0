import { toTimestamp } from '../../core/time/clock.ts';
import type { TenantContext } from '../../core/tenant/context.ts';
import { resolveContact } from '../contacts/lookup.ts';
import { scheduleExpiry } from './expiry.ts';
import { getChallengeDefinition, findAssignedChallenge, listAssignedChallenges } from './lookup.ts';
import type { AssignedChallenge } from './lookup.ts';
import { challengeStatusOf } from './progress.ts';
import { challengeDefinitions, challenges } from './schema.ts';
import type { ChallengeDefinition, ChallengeFilter, DefinitionFilter } from './schema.ts';

/** Describes a list of which a page is shown. */
interface PagedList<Item> {
  readonly totalCount: number;
  readonly items: (page: { readonly offset: number; readonly count: number }) => readonly Item[];
}

interface ChallengeQuery {
  readonly contactId: string;
  readonly definitionId?: string | undefined;
  readonly filter: ChallengeFilter;
}

/** A contact's challenges in the order they started. Throws `ContactNotFound`, `MultipleMatches` or `ChallengeDefinitionNotFound`. */
export function listChallenges(
  tenant: TenantContext,
  { contactId, definitionId, filter }: ChallengeQuery,
): PagedList<AssignedChallenge> {
  const { id } = resolveContact(tenant, contactId);
  if (definitionId !== undefined) {
    const held = findAssignedChallenge(tenant, id, getChallengeDefinition(tenant, definitionId));
    return filterByStatus(tenant, held ? [held] : [], filter);
  }
  if (filter !== 'All') return filterByStatus(tenant, listAssignedChallenges(tenant, id), filter);
  return {
    totalCount: tenant.list(challenges, 'byContact', id).size,
    items: (page) => listAssignedChallenges(tenant, id, page),
  };
}

function filterByStatus(
  tenant: TenantContext,
  all: readonly AssignedChallenge[],
  filter: ChallengeFilter,
): PagedList<AssignedChallenge> {
  const found = filter === 'All' ? all : all.filter((held) => challengeStatusOf(held, tenant.now()) === filter);
  return { totalCount: found.length, items: ({ offset, count }) => found.slice(offset, offset + count) };
}

/** Returns the definitions of a status, or all, in the order of their numbers. */
export function listDefinitions(tenant: TenantContext, status: DefinitionFilter): PagedList<ChallengeDefinition> {
  const list = tenant.list(challengeDefinitions, status === 'All' ? 'inOrder' : 'byStatus', status);
  return {
    totalCount: list.size,
    items: ({ offset, count }) =>
      list.page(offset, count).flatMap((key) => tenant.get(challengeDefinitions, key) ?? []),
  };
}

interface ChallengeAssignment {
  readonly definitionId: string;
  readonly contactId: string;
}

/**
 * Gives a contact a challenge. One that the contact has already stays as it is, completed or expired as it may be.
 * Nobody asks for consent: the retailer has done so. Throws `ChallengeDefinitionNotFound`, `ContactNotFound` or
 * `MultipleMatches`.
 */
export function assignChallenge(
  tenant: TenantContext,
  { definitionId, contactId }: ChallengeAssignment,
): AssignedChallenge {
  const definition = getChallengeDefinition(tenant, definitionId);
  const contact = resolveContact(tenant, contactId);
  return findAssignedChallenge(tenant, contact.id, definition) ?? createChallenge(tenant, contact.id, definition);
}

function createChallenge(tenant: TenantContext, contactId: string, definition: ChallengeDefinition): AssignedChallenge {
  if (definition.status !== 'Active') {
    const message = `the challenge definition "${definition.name}" is ${definition.status}; it is assigned all the same`;
    tenant.warn('challenge-definition-not-active', message);
  }
  const challenge = tenant.put(challenges, {
    id: tenant.newId(),
    number: tenant.next('challenge'),
    definitionId: definition.id,
    contactId,
    challengeStart: toTimestamp(tenant.now()),
    completedCheckpoints: 0,
    latestCheckpointAddedOn: null,
  });
  const held = { challenge, definition };
  scheduleExpiry(tenant, held);
  return held;
}
