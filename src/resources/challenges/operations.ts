import { toTimestamp } from '../../core/clock.ts';
import type { Tenant } from '../../core/tenant.ts';
import { contactMeant } from '../contacts/lookup.ts';
import { planEnd } from './ending.ts';
import { definitionOf, findHeld, heldBy } from './lookup.ts';
import type { HeldChallenge } from './lookup.ts';
import { statusOf } from './progress.ts';
import { challengeDefinitions, challenges } from './schema.ts';
import type { ChallengeDefinition, ChallengeFilter, DefinitionFilter } from './schema.ts';

/** A list of which a page is shown. */
interface Listed<Item> {
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
  tenant: Tenant,
  { contactId, definitionId, filter }: ChallengeQuery,
): Listed<HeldChallenge> {
  const { id } = contactMeant(tenant, contactId);
  if (definitionId !== undefined) {
    const held = findHeld(tenant, id, definitionOf(tenant, definitionId));
    return listed(tenant, held ? [held] : [], filter);
  }
  if (filter !== 'All') return listed(tenant, heldBy(tenant, id), filter);
  return {
    totalCount: tenant.list(challenges, 'byContact', id).size,
    items: (page) => heldBy(tenant, id, page),
  };
}

function listed(tenant: Tenant, all: readonly HeldChallenge[], filter: ChallengeFilter): Listed<HeldChallenge> {
  const found = filter === 'All' ? all : all.filter((held) => statusOf(held, tenant.now()) === filter);
  return { totalCount: found.length, items: ({ offset, count }) => found.slice(offset, offset + count) };
}

/** The definitions of a status, or all, in the order of their numbers. */
export function listDefinitions(tenant: Tenant, status: DefinitionFilter): Listed<ChallengeDefinition> {
  const list = tenant.list(challengeDefinitions, status === 'All' ? 'inOrder' : 'byStatus', status);
  return {
    totalCount: list.size,
    items: ({ offset, count }) =>
      list.page(offset, count).flatMap((key) => tenant.get(challengeDefinitions, key) ?? []),
  };
}

interface Assignment {
  readonly definitionId: string;
  readonly contactId: string;
}

/**
 * Gives a contact a challenge. One that the contact has already stays as it is, completed or expired as it may be.
 * Nobody asks for consent: the retailer has done so. Throws `ChallengeDefinitionNotFound`, `ContactNotFound` or
 * `MultipleMatches`.
 */
export function assignChallenge(tenant: Tenant, { definitionId, contactId }: Assignment): HeldChallenge {
  const definition = definitionOf(tenant, definitionId);
  const contact = contactMeant(tenant, contactId);
  return findHeld(tenant, contact.id, definition) ?? assignAnew(tenant, contact.id, definition);
}

function assignAnew(tenant: Tenant, contactId: string, definition: ChallengeDefinition): HeldChallenge {
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
  planEnd(tenant, held);
  return held;
}
