import * as z from '../../core/validation/deferred-zod.ts';
import { parseTimestamp } from '../../core/time/clock.ts';
import { linkSchema } from '../../core/exchange/pagination.ts';
import type { Table } from '../../core/state/state.ts';
import {
  flag,
  lowerCaseGuid,
  integer,
  arrayOf,
  requiredText,
  text,
  timestamp,
  caseInsensitiveEnum,
} from '../../core/validation/field-types.ts';

const whole = integer.nonnegative({ error: 'must not be negative' });

/** Requires of a purchase what earns a checkpoint. */
export const checkpointRules = ['None', 'ReceiptTotal', 'ReceiptLineQuantity', 'ReceiptLineTotal'] as const;

/** Lists the statuses of a definition. */
const definitionStatuses = ['Active', 'Draft', 'Scheduled', 'Ended'] as const;

/** Describes a challenge definition, which is the template; the words stand for the numbers that callers see. */
export const challengeDefinitionSchema = z.strictObject({
  id: lowerCaseGuid,
  name: requiredText,
  description: text.default(''),
  checkpointAssignOn: caseInsensitiveEnum(checkpointRules).default('None'),
  checkpointAssignOnAmount: whole.default(0),
  requiredNumberOfCheckpoints: integer.positive({ error: 'must be at least 1' }),
  /** Holds the time after its start in which a challenge can be completed; 0 is without end. */
  expirationMonths: whole.default(0),
  isContactConsentRequired: flag.default(false),
  isScheduled: flag.default(false),
  status: caseInsensitiveEnum(definitionStatuses).default('Active'),
  createdBy: text.default(''),
  modifiedBy: text.default(''),
  createdOn: timestamp,
  modifiedOn: timestamp,
});

export interface ChallengeDefinition extends z.infer<typeof challengeDefinitionSchema> {
  /** Counts a tenant's definitions from 1: the integer that a definitionId may be as well. */
  readonly number: number;
}

export const challengeDefinitions: Table<ChallengeDefinition> = {
  name: 'challengeDefinitions',
  scope: 'state',
  key: (definition) => definition.id,
  unique: { number: ({ number }) => [String(number)] },
  lists: {
    inOrder: ({ number }) => ({ of: 'All', order: number }),
    byStatus: ({ status, number }) => ({ of: status, order: number }),
  },
};

/**
 * Describes a challenge: a definition in the hands of one contact. Its status follows from its progress and the clock
 * (A-35).
 */
export const challengeSchema = z.strictObject({
  id: lowerCaseGuid,
  definitionId: lowerCaseGuid,
  contactId: lowerCaseGuid,
  challengeStart: timestamp,
  completedCheckpoints: whole.default(0),
  latestCheckpointAddedOn: timestamp.nullable().default(null),
});

export interface Challenge extends z.infer<typeof challengeSchema> {
  /** Counts a tenant's challenges: which of two with the same start was assigned first. */
  readonly number: number;
}

/** Returns the unique value of the challenge that a contact has of a definition. */
export const assignmentKey = ({ contactId, definitionId }: Pick<Challenge, 'contactId' | 'definitionId'>): string =>
  `${contactId}/${definitionId}`;

export const challenges: Table<Challenge> = {
  name: 'challenges',
  scope: 'state',
  key: (challenge) => challenge.id,
  // A contact has each challenge once: assigning it again changes nothing (Challenge transitions).
  unique: { assignment: (challenge) => [assignmentKey(challenge)] },
  lists: {
    byContact: ({ contactId, challengeStart, number }) => ({
      of: contactId,
      order: parseTimestamp(challengeStart) ?? 0,
      tie: number,
    }),
  },
};

/** Lists the filter values of challenges, which are but for All the names of statuses. */
export const challengeFilter = caseInsensitiveEnum(['All', 'Active', 'Completed', 'NotCompleted']);

export type ChallengeFilter = z.infer<typeof challengeFilter>;

export const definitionFilter = caseInsensitiveEnum(['All', ...definitionStatuses]);

export type DefinitionFilter = z.infer<typeof definitionFilter>;

/** Describes a challenge definition in a response. */
export const challengeDefinitionResponseSchema = z
  .object({
    id: z.guid(),
    name: z.string(),
    description: z.string(),
    checkpointAssignOn: z.int().describe('None 0, ReceiptTotal 1, ReceiptLineQuantity 2, ReceiptLineTotal 3'),
    checkpointAssignOnAmount: z.int(),
    requiredNumberOfCheckpoints: z.int(),
    expirationMonths: z.int().describe('0: without end'),
    isContactConsentRequired: z.boolean(),
    isScheduled: z.boolean(),
    status: z.int().describe('Active 1, Draft 2, Scheduled 3, Ended 4'),
    createdBy: z.string(),
    modifiedBy: z.string(),
    createdOn: timestamp,
    modifiedOn: timestamp,
    links: z.array(linkSchema),
  })
  .meta({ id: 'ChallengeDefinition' });

export type ChallengeDefinitionResponse = z.infer<typeof challengeDefinitionResponseSchema>;

/** Describes a challenge in a response. */
export const challengeResponseSchema = z
  .object({
    id: z.guid(),
    challengeId: z.guid().describe('The id of this challenge again (A-58); that of its definition is in the links'),
    contactId: z.guid(),
    challengeStart: timestamp,
    completedCheckpoints: z.int(),
    requiredCheckpoints: z.int(),
    isActive: z.boolean(),
    isChallengeCompleted: z.boolean(),
    latestCheckpointAddedOn: timestamp.nullable(),
    status: z.int().describe('Completed 1, NotCompleted 2, Active 3'),
    links: z.array(linkSchema),
  })
  .meta({ id: 'Challenge' });

export type ChallengeResponse = z.infer<typeof challengeResponseSchema>;

const awardBlockSchema = z
  .object({
    definitionId: z.guid(),
    contactId: z.guid(),
    checkpointAmount: z.int().min(1),
  })
  .meta({ id: 'CheckpointAwardBlock' });

/** Accepts award blocks; what is anything else is skipped, not refused (Checkpoint award rule 1). */
export const awardBlocks = arrayOf(z.union([awardBlockSchema, z.unknown()]));

/** Holds what was sent in place of each field of a block. */
const skippedBlockSchema = z.object({
  definitionId: z.unknown(),
  contactId: z.unknown(),
  checkpointAmount: z.unknown(),
});

export const awardResponseSchema = z.object({
  missingContactIds: z.array(z.string()),
  missingDefinitionIds: z.array(z.string()),
  notAccepted: z.array(skippedBlockSchema),
});

export type AwardResponse = z.infer<typeof awardResponseSchema>;
export type SkippedBlock = z.infer<typeof skippedBlockSchema>;
