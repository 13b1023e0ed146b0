import { toTimestamp } from '../../core/clock.ts';
import { getRow, withRows } from '../../core/state.ts';
import type { State } from '../../core/state.ts';
import { contacts } from '../contacts/schema.ts';
import { fixtureSection, withoutRepeats } from '../fixture.ts';
import type { FixtureContext } from '../fixture.ts';
import { listOf } from '../formats.ts';
import { assignmentSchema, promotionAssignments, promotions, promotionSchema } from './schema.ts';
import type { Assignment } from './schema.ts';

export const promotionsFixture = fixtureSection({
  name: 'promotions',
  schema: listOf(promotionSchema),
  load: (state, content, context) =>
    withRows(state, promotions, withoutRepeats(content, { section: 'promotions', field: 'id', context })),
});

export const promotionAssignmentsFixture = fixtureSection({
  name: 'promotionAssignments',
  schema: listOf(assignmentSchema.partial({ id: true, assignedOn: true })),
  load: (state, content, context) => {
    const rows = content.map((row, i): Assignment => {
      checkReferences(state, row, `promotionAssignments[${i}]`, context);
      const { id = context.newId(), assignedOn = toTimestamp(context.now) } = row;
      return { ...row, id, assignedOn };
    });
    const differing = withoutRepeats(rows, { section: 'promotionAssignments', field: 'id', context });
    return withRows(state, promotionAssignments, differing);
  },
});

function checkReferences(
  state: State,
  { promotionId, contactId }: Pick<Assignment, 'promotionId' | 'contactId'>,
  path: string,
  context: FixtureContext,
): void {
  if (!getRow(state, promotions, promotionId)) {
    context.report(`${path}.promotionId`, `no promotion of this fixture has the id ${promotionId}`);
  }
  if (!getRow(state, contacts, contactId)) {
    context.report(`${path}.contactId`, `no contact of this fixture has the id ${contactId}`);
  }
}
