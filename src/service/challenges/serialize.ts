import type { Instant } from '../../core/time/clock.ts';
import type { EndpointInput } from '../../core/exchange/endpoint.ts';
import type { Link } from '../../core/exchange/pagination.ts';
import type { TenantContext } from '../../core/tenant/context.ts';
import type { AssignedChallenge } from './lookup.ts';
import { challengeStatusOf } from './progress.ts';
import { checkpointRules } from './schema.ts';
import type { ChallengeDefinition, ChallengeResponse, ChallengeDefinitionResponse } from './schema.ts';

/** Numbers the statuses of a challenge. */
const statusNumbers = { Unknown: 0, Completed: 1, NotCompleted: 2, Active: 3 } as const;
const definitionStatusNumbers = { All: 0, Active: 1, Draft: 2, Scheduled: 3, Ended: 4 } as const;

interface ChallengeSerializeContext {
  readonly self: EndpointInput<unknown, unknown>['self'];
  readonly now: Instant;
  /** Says which id the challengeId of a challenge is. */
  readonly challengeIdOf: 'challenge' | 'definition';
}

/** Returns which id the challengeId is of. */
export const challengeIdSource = (tenant: TenantContext): ChallengeSerializeContext['challengeIdOf'] =>
  tenant.assumption('A-58') === 'challenge' ? 'challenge' : 'definition';

/** Returns a challenge in the words of its contact. */
export function serializeChallenge(
  held: AssignedChallenge,
  { self, now, challengeIdOf }: ChallengeSerializeContext,
): ChallengeResponse {
  const { challenge, definition } = held;
  const { id, contactId, challengeStart, completedCheckpoints, latestCheckpointAddedOn } = challenge;
  const status = challengeStatusOf(held, now);
  return {
    id,
    challengeId: held[challengeIdOf].id,
    contactId,
    challengeStart,
    completedCheckpoints,
    requiredCheckpoints: definition.requiredNumberOfCheckpoints,
    isActive: status === 'Active',
    isChallengeCompleted: status === 'Completed',
    latestCheckpointAddedOn,
    status: statusNumbers[status],
    links: [
      linkTo(self, { rel: 'self', id, path: `/api/v3/challenges/${id}` }),
      linkTo(self, { rel: 'definition', id: definition.id, path: pathOf(definition) }),
    ],
  };
}

export function serializeChallengeDefinition(
  definition: ChallengeDefinition,
  { self }: Pick<ChallengeSerializeContext, 'self'>,
): ChallengeDefinitionResponse {
  const { number: _, checkpointAssignOn, status, ...same } = definition;
  return {
    ...same,
    checkpointAssignOn: checkpointRules.indexOf(checkpointAssignOn),
    status: definitionStatusNumbers[status],
    links: [linkTo(self, { rel: 'self', id: definition.id, path: pathOf(definition) })],
  };
}

const pathOf = ({ id }: ChallengeDefinition): string => `/api/v3/challenges/definitions/${id}`;

/** Returns a link under the tenant's prefix that was called with. */
function linkTo(
  { path: called }: ChallengeSerializeContext['self'],
  to: { rel: string; id: string; path: string },
): Link {
  const prefix = called.slice(0, called.indexOf('/api/v3/'));
  return { id: to.id, href: `${prefix}${to.path}`, method: 'GET', rel: to.rel };
}
