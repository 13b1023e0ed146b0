import { toTimestamp } from '../../core/clock.ts';
import { getRow, withRows } from '../../core/state.ts';
import { contacts } from '../contacts/schema.ts';
import { fixtureSection, withoutRepeats } from '../fixture.ts';
import type { FixtureContext } from '../fixture.ts';
import { listOf } from '../formats.ts';
import { challengeDefinitions, challengeDefinitionSchema, challenges, challengeSchema } from './schema.ts';
import type { Challenge } from './schema.ts';

export const challengeDefinitionsFixture = fixtureSection({
  name: 'challengeDefinitions',
  schema: listOf(challengeDefinitionSchema.partial({ createdOn: true, modifiedOn: true })),
  load: (state, content, context) => {
    const rows = content.map((row) => {
      const { createdOn = toTimestamp(context.now), modifiedOn = createdOn } = row;
      return { ...row, createdOn, modifiedOn };
    });
    const different = withoutRepeats(rows, { section: 'challengeDefinitions', field: 'id', context });
    return withRows(state, challengeDefinitions, different);
  },
});

export const challengesFixture = fixtureSection({
  name: 'challenges',
  schema: listOf(challengeSchema.partial({ id: true, challengeStart: true })),
  load: (state, content, context) => {
    const rows = content.map((row, i) => {
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
      return { ...row, id: row.id ?? context.newId(), challengeStart: row.challengeStart ?? toTimestamp(context.now) };
    });
    checkAssignedOnce(rows, context);
    return withRows(state, challenges, withoutRepeats(rows, { section: 'challenges', field: 'id', context }));
  },
});

function checkAssignedOnce(rows: readonly Challenge[], context: FixtureContext): void {
  const places = new Map<string, string>();
  for (const [i, { contactId, definitionId }] of rows.entries()) {
    const assignment = `${contactId}/${definitionId}`;
    const first = places.get(assignment);
    if (first !== undefined) {
      context.fail(`challenges[${i}].definitionId`, `this contact has this challenge already, as ${first}`);
    }
    places.set(assignment, `challenges[${i}]`);
  }
}
