import { toTimestamp } from '../../core/time/clock.ts';
import { mapInSteps } from '../../core/time/steps.ts';
import { getRow, withRowsInSteps, withSequences } from '../../core/state/state.ts';
import { contacts } from '../contacts/schema.ts';
import { fixtureSection, withoutDuplicates } from '../resource/fixture-section.ts';
import type { FixtureContext } from '../resource/fixture-section.ts';
import { arrayOf } from '../../core/validation/field-types.ts';
import {
  assignmentKey,
  challengeDefinitions,
  challengeDefinitionSchema,
  challenges,
  challengeSchema,
} from './schema.ts';
import { withExpiryTimers } from './expiry.ts';
import type { Challenge, ChallengeDefinition } from './schema.ts';

export const challengeDefinitionsFixture = fixtureSection({
  name: 'challengeDefinitions',
  description: 'the challenges that can be completed',
  schema: arrayOf(challengeDefinitionSchema.partial({ createdOn: true, modifiedOn: true })),
  isCopied: true,
  load: (state, content, context) => {
    const rows = content.map((row, i): ChallengeDefinition => {
      const { createdOn = toTimestamp(context.now), modifiedOn = createdOn } = row;
      return { ...row, createdOn, modifiedOn, number: i + 1 };
    });
    const different = withoutDuplicates(rows, { section: 'challengeDefinitions', field: 'id', context });
    return withRowsInSteps(state, challengeDefinitions, different);
  },
});

export const challengesFixture = fixtureSection({
  name: 'challenges',
  description: 'the challenges that contacts have begun',
  schema: arrayOf(challengeSchema.partial({ id: true, challengeStart: true })),
  load: function* (state, content, context) {
    const rows = yield* mapInSteps(content, (row, i): Challenge => {
      const path = `challenges[${i}]`;
      if (!getRow(state, contacts, row.contactId)) {
        context.report(`${path}.contactId`, `no contact of this fixture has the id ${row.contactId}`);
      }
      if (!getRow(state, challengeDefinitions, row.definitionId)) {
        context.report(
          `${path}.definitionId`,
          `no challenge definition of this fixture has the id ${row.definitionId}`,
        );
      }
      const { id = context.newId(), challengeStart = toTimestamp(context.now) } = row;
      return { ...row, id, challengeStart, number: i + 1 };
    });
    checkAssignedOnce(rows, context);
    const different = withoutDuplicates(rows, { section: 'challenges', field: 'id', context });
    const assigned = yield* withRowsInSteps(state, challenges, different);
    const timed = yield* withExpiryTimers(assigned, different, context.now);
    return withSequences(timed, { challenge: rows.length });
  },
});

function checkAssignedOnce(rows: readonly Challenge[], context: FixtureContext): void {
  const places = new Map<string, string>();
  for (const [i, row] of rows.entries()) {
    const assignment = assignmentKey(row);
    const first = places.get(assignment);
    if (first !== undefined) {
      context.fail(`challenges[${i}].definitionId`, `this contact has this challenge already, as ${first}`);
    }
    places.set(assignment, `challenges[${i}]`);
  }
}
