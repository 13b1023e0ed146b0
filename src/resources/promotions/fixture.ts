import { toTimestamp } from '../../core/clock.ts';
import { getRow, withRows } from '../../core/state.ts';
import type { State } from '../../core/state.ts';
import { contacts } from '../contacts/schema.ts';
import { fixtureSection } from '../fixture.ts';
import type { FixtureContext } from '../fixture.ts';
import { listOf } from '../formats.ts';
import { assignmentSchema, promotionAssignments, promotions, promotionSchema } from './schema.ts';
import type { Assignment } from './schema.ts';

export const promotionsFixture = fixtureSection({
  name: 'promotions',
  schema: listOf(promotionSchema),
  load: (state, rows, context) => {
    checkIdsDiffer('promotions', rows, context);
    return withRows(state, promotions, rows);
  },
});

export const promotionAssignmentsFixture = fixtureSection({
  name: 'promotionAssignments',
  schema: listOf(assignmentSchema.partial({ id: true, assignedOn: true })),
  load: (state, content, context) => {
    const rows = content.map((row): Assignment => {
      const { id = context.newId(), assignedOn = toTimestamp(context.now) } = row;
      return { ...row, id, assignedOn };
    });
    checkIdsDiffer('promotionAssignments', rows, context);
    for (const [i, row] of rows.entries()) checkReferences(state, row, `promotionAssignments[${i}]`, context);
    return withRows(state, promotionAssignments, rows);
  },
});

function checkIdsDiffer(section: string, rows: readonly { id: string }[], context: FixtureContext): void {
  const places = new Map<string, number>();
  for (const [i, { id }] of rows.entries()) {
    const first = places.get(id);
    if (first !== undefined) context.fail(`${section}[${i}].id`, `${id} is the id of ${section}[${first}] already`);
    places.set(id, i);
  }
}

function checkReferences(state: State, row: Assignment, path: string, context: FixtureContext): void {
  if (!getRow(state, promotions, row.promotionId)) {
    context.fail(`${path}.promotionId`, `no promotion of this fixture has the id ${row.promotionId}`);
  }
  if (!getRow(state, contacts, row.contactId)) {
    context.fail(`${path}.contactId`, `no contact of this fixture has the id ${row.contactId}`);
  }
}
