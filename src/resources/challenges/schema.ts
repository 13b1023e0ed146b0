import * as z from 'zod';
import { parseTimestamp } from '../../core/clock.ts';
import type { Table } from '../../core/state.ts';
import { flag, integer, requiredText, text, timestamp, word } from '../formats.ts';

// Ids are compared without case, so they are kept in lower case.
const id = z.guid({ error: 'must be a GUID' }).toLowerCase();
const whole = integer.nonnegative({ error: 'must not be negative' });

/** What a purchase must bring for a checkpoint to be given. */
const checkpointRules = ['None', 'ReceiptTotal', 'ReceiptLineQuantity', 'ReceiptLineTotal'] as const;

/** */
const definitionStatuses = ['Active', 'Draft', 'Scheduled', 'Ended'] as const;

/** Challenge definition: the template; the words stand for the numbers that callers see. */
export const challengeDefinitionSchema = z.strictObject({
  id,
  name: requiredText,
  description: text.default(''),
  checkpointAssignOn: word(checkpointRules).default('None'),
  checkpointAssignOnAmount: whole.default(0),
  requiredNumberOfCheckpoints: integer.positive({ error: 'must be at least 1' }),
  /** How long after its start a challenge can be completed; without end when 0. */
  expirationMonths: whole.default(0),
  isContactConsentRequired: flag.default(false),
  isScheduled: flag.default(false),
  status: word(definitionStatuses).default('Active'),
  createdBy: text.default(''),
  modifiedBy: text.default(''),
  createdOn: timestamp,
  modifiedOn: timestamp,
});

export type ChallengeDefinition = z.infer<typeof challengeDefinitionSchema>;

export const challengeDefinitions: Table<ChallengeDefinition> = {
  name: 'challengeDefinitions',
  scope: 'state',
  key: (definition) => definition.id,
};

/** A challenge: a definition in the hands of one contact. Its status follows from its progress and the clock. */
export const challengeSchema = z.strictObject({
  id,
  definitionId: id,
  contactId: id,
  challengeStart: timestamp,
  completedCheckpoints: whole.default(0),
  latestCheckpointAddedOn: timestamp.nullable().default(null),
});

export type Challenge = z.infer<typeof challengeSchema>;

export const challenges: Table<Challenge> = {
  name: 'challenges',
  scope: 'state',
  key: (challenge) => challenge.id,
  // A contact has each challenge once: assigning it again changes nothing (Challenge transitions).
  unique: { assignment: ({ contactId, definitionId }) => [`${contactId}/${definitionId}`] },
  lists: {
    byContact: ({ contactId, challengeStart }) => ({ of: contactId, order: parseTimestamp(challengeStart) ?? 0 }),
  },
};
