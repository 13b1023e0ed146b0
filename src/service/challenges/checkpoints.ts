import { toTimestamp } from '../../core/time/clock.ts';
import type { TenantContext } from '../../core/tenant/context.ts';
import { resolveContacts, ambiguousContactMessage } from '../contacts/lookup.ts';
import { scheduleExpiry } from './expiry.ts';
import { findChallengeDefinition, findAssignedChallenge } from './lookup.ts';
import type { AssignedChallenge } from './lookup.ts';
import { assignChallenge } from './operations.ts';
import { challengeExpiryOf, challengeStatusOf } from './progress.ts';
import { challenges } from './schema.ts';
import type { AwardResponse, ChallengeDefinition, SkippedBlock } from './schema.ts';

/** Limits the blocks of one request. */
export const maxAwardBlocks = 1000;

/**
 * Adds checkpoints block by block. A block that can't be done is skipped, listed and warned about, and the others are
 * done (Checkpoint award rules 1 and 2).
 */
export function awardCheckpoints(tenant: TenantContext, blocks: readonly unknown[]): AwardResponse {
  const missing: Missing = { contactIds: new Set(), definitionIds: new Set() };
  const notAccepted: SkippedBlock[] = [];
  for (const [i, sent] of blocks.entries()) {
    const block = blockFrom(sent);
    const reason = award(tenant, block, missing);
    if (reason === undefined) continue;
    notAccepted.push(block);
    tenant.warn('checkpoint-not-accepted', `[${i}]: ${reason}`);
  }
  return { missingContactIds: [...missing.contactIds], missingDefinitionIds: [...missing.definitionIds], notAccepted };
}

/** Adds checkpoints to a challenge; they may be more than are required. */
export function addCheckpoints(tenant: TenantContext, held: AssignedChallenge, amount: number): void {
  const added = tenant.put(challenges, {
    ...held.challenge,
    completedCheckpoints: held.challenge.completedCheckpoints + amount,
    latestCheckpointAddedOn: toTimestamp(tenant.now()),
  });
  scheduleExpiry(tenant, { ...held, challenge: added });
}

interface Missing {
  readonly contactIds: Set<string>;
  readonly definitionIds: Set<string>;
}

/** Returns the fields that a block has from what was sent as one; null for those that it lacks. */
function blockFrom(sent: unknown): SkippedBlock {
  const fields: Partial<SkippedBlock> = typeof sent === 'object' && sent !== null ? sent : {};
  const { definitionId = null, contactId = null, checkpointAmount = null } = fields;
  return { definitionId, contactId, checkpointAmount };
}

/** Does one block; returns what stands in its way, if anything does. */
function award(tenant: TenantContext, block: SkippedBlock, missing: Missing): string | undefined {
  const [contactId, definitionId] = [idFrom(block.contactId), idFrom(block.definitionId)];
  const [contact, ...others] = contactId === undefined ? [] : resolveContacts(tenant, contactId);
  const definition = definitionId === undefined ? undefined : findChallengeDefinition(tenant, definitionId);
  if (contactId !== undefined && !contact) missing.contactIds.add(contactId);
  if (definitionId !== undefined && !definition) missing.definitionIds.add(definitionId);
  if (!contact) return contactId === undefined ? 'it has no contactId' : `no contact has the id ${contactId}`;
  if (!definition) {
    return definitionId === undefined ? 'it has no definitionId' : `no challenge definition has the id ${definitionId}`;
  }
  if (others.length > 0) return ambiguousContactMessage(String(contactId));
  const amount = block.checkpointAmount;
  if (typeof amount !== 'number' || !Number.isSafeInteger(amount) || amount < 1) {
    return `checkpointAmount must be a whole number of at least 1, not ${JSON.stringify(amount)}`;
  }
  const held = findAssignedChallenge(tenant, contact.id, definition) ?? assignOnTheWay(tenant, contact.id, definition);
  if (!held) return `contact ${contact.id} does not have the challenge "${definition.name}"; assign it first`;
  const reason = inactiveReason(tenant, held);
  if (reason === undefined) addCheckpoints(tenant, held, amount);
  return reason;
}

/** Returns an id as it may be sent: a GUID, or an integer where the specification declares one. */
function idFrom(sent: unknown): string | undefined {
  if (typeof sent === 'number') return String(sent);
  return typeof sent === 'string' && sent !== '' ? sent : undefined;
}

/** Assigns the challenge to a contact who lacks it, where A-36 is set so. */
const assignOnTheWay = (
  tenant: TenantContext,
  contactId: string,
  definition: ChallengeDefinition,
): AssignedChallenge | undefined =>
  tenant.assumption('A-36') === 'assign'
    ? assignChallenge(tenant, { contactId, definitionId: definition.id })
    : undefined;

/** A challenge that is no longer active takes no more checkpoints: its outcome stands. */
function inactiveReason(tenant: TenantContext, held: AssignedChallenge): string | undefined {
  const status = challengeStatusOf(held, tenant.now());
  if (status === 'Active') return undefined;
  const what = `the challenge "${held.definition.name}" of contact ${held.challenge.contactId}`;
  return status === 'Completed'
    ? `${what} is completed already`
    : `${what} ended on ${toTimestamp(challengeExpiryOf(held) ?? tenant.now())}`;
}
