/** Finds challenges and their definitions by what callers name them with. */
import { normalizeGuid } from '../../core/lib/random.ts';
import type { TenantContext } from '../../core/tenant/context.ts';
import { apiError } from '../errors/catalog.ts';
import { retailerOf } from '../retailer/operations.ts';
import { assignmentKey, challengeDefinitions, challenges } from './schema.ts';
import type { Challenge, ChallengeDefinition } from './schema.ts';

/** Describes a challenge with the definition that it was made from. */
export interface AssignedChallenge {
  readonly challenge: Challenge;
  readonly definition: ChallengeDefinition;
  /** Holds the zone in which its months are counted. */
  readonly timeZone: string;
}

/**
 * Returns the definition of this id, or of this number: the specification declares integers and shows GUIDs. A
 * malformed id is not found.
 */
export const findChallengeDefinition = (tenant: TenantContext, id: string): ChallengeDefinition | undefined =>
  tenant.get(challengeDefinitions, normalizeGuid(id) ?? '') ?? tenant.find(challengeDefinitions, 'number', id);

/** Returns the definition of this id or number. Throws `ChallengeDefinitionNotFound`. */
export function getChallengeDefinition(tenant: TenantContext, id: string): ChallengeDefinition {
  const definition = findChallengeDefinition(tenant, id);
  if (definition) return definition;
  throw apiError('ChallengeDefinitionNotFound', {
    message: `No challenge definition has the id ${id}; GET /api/v3/challenges/definitions lists them.`,
  });
}

/** Returns the challenge of this id. Throws `ChallengeNotFound`. */
export function getChallenge(tenant: TenantContext, id: string): AssignedChallenge {
  const held = withDefinition(tenant, tenant.get(challenges, normalizeGuid(id) ?? ''));
  if (held) return held;
  const hint = findChallengeDefinition(tenant, id) ? '; it is the id of a challenge definition' : '';
  throw apiError('ChallengeNotFound', {
    message: `No challenge has the id ${id}${hint}. GET /api/v3/challenges?contactId=… lists those of a contact.`,
  });
}

/** Returns the challenge that a contact has of a definition, if it was assigned. */
export function findAssignedChallenge(
  tenant: TenantContext,
  contactId: string,
  definition: ChallengeDefinition,
): AssignedChallenge | undefined {
  const assignment = assignmentKey({ contactId, definitionId: definition.id });
  const challenge = tenant.find(challenges, 'assignment', assignment);
  return challenge && { challenge, definition, timeZone: retailerOf(tenant).timeZone };
}

/** Returns a contact's challenges in the order they started, all or those of a page. */
export function listAssignedChallenges(
  tenant: TenantContext,
  contactId: string,
  { offset, count } = { offset: 0, count: Number.POSITIVE_INFINITY },
): AssignedChallenge[] {
  const keys = tenant.list(challenges, 'byContact', contactId).page(offset, count);
  return keys.flatMap((key) => withDefinition(tenant, tenant.get(challenges, key)) ?? []);
}

function withDefinition(tenant: TenantContext, challenge: Challenge | undefined): AssignedChallenge | undefined {
  const definition = challenge && tenant.get(challengeDefinitions, challenge.definitionId);
  return definition && { challenge, definition, timeZone: retailerOf(tenant).timeZone };
}
