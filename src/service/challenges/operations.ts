import { toTimestamp } from '../../core/time/clock.ts';
import type { TenantContext } from '../../core/tenant/context.ts';
import { resolveContact } from '../contacts/lookup.ts';
import { retailerOf } from '../retailer/operations.ts';
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

/** Returns a contact's challenges in the order they started. Throws `ContactNotFound`, `MultipleMatches` or `ChallengeDefinitionNotFound`. */
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
 * Gives a contact a challenge. One that the contact has already stays as it is (A-66: also when it is over).
 * Nobody asks for consent: the retailer has done so. Throws `ChallengeDefinitionNotFound`, `ContactNotFound` or
 * `MultipleMatches`.
 */
export function assignChallenge(
  tenant: TenantContext,
  { definitionId, contactId }: ChallengeAssignment,
): AssignedChallenge {
  const definition = getChallengeDefinition(tenant, definitionId);
  const contact = resolveContact(tenant, contactId);
  const held = findAssignedChallenge(tenant, contact.id, definition);
  if (!held) return createChallenge(tenant, contact.id, definition);
  const status = challengeStatusOf(held, tenant.now());
  return status === 'Active' ? held : assignAgain(tenant, held, status);
}

/** Decides what becomes of a challenge that is completed, or whose time ran out. */
function assignAgain(tenant: TenantContext, held: AssignedChallenge, status: string): AssignedChallenge {
  const { challenge, definition } = held;
  if (tenant.assumption('A-66') !== 'renew') {
    const message = `the contact has the challenge "${definition.name}" already, which is ${status}; it stays so`;
    tenant.warn('challenge-over', message);
    return held;
  }
  const progress = { completedCheckpoints: 0, latestCheckpointAddedOn: null };
  const renewed = tenant.put(challenges, { ...challenge, ...progress, challengeStart: toTimestamp(tenant.now()) });
  scheduleExpiry(tenant, { ...held, challenge: renewed });
  return { ...held, challenge: renewed };
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
  const held = { challenge, definition, timeZone: retailerOf(tenant).timeZone };
  scheduleExpiry(tenant, held);
  return held;
}
