import { toTimestamp } from '../../core/time/clock.ts';
import { getRow, withRows } from '../../core/state/state.ts';
import type { State } from '../../core/state/state.ts';
import { contacts } from '../contacts/schema.ts';
import { fixtureSection, withoutDuplicates } from '../resource/fixture-section.ts';
import type { FixtureContext } from '../resource/fixture-section.ts';
import { arrayOf } from '../../core/validation/field-types.ts';
import { promotionAssignmentSchema, promotionAssignments, promotions, promotionSchema } from './schema.ts';
import type { PromotionAssignment } from './schema.ts';

export const promotionsFixture = fixtureSection({
  name: 'promotions',
  schema: arrayOf(promotionSchema),
  load: (state, content, context) =>
    withRows(state, promotions, withoutDuplicates(content, { section: 'promotions', field: 'id', context })),
});

export const promotionAssignmentsFixture = fixtureSection({
  name: 'promotionAssignments',
  schema: arrayOf(promotionAssignmentSchema.partial({ id: true, assignedOn: true })),
  load: (state, content, context) => {
    const rows = content.map((row, i): PromotionAssignment => {
      checkReferences(state, row, `promotionAssignments[${i}]`, context);
      const { id = context.newId(), assignedOn = toTimestamp(context.now) } = row;
      return { ...row, id, assignedOn };
    });
    const differing = withoutDuplicates(rows, { section: 'promotionAssignments', field: 'id', context });
    return withRows(state, promotionAssignments, differing);
  },
});

function checkReferences(
  state: State,
  { promotionId, contactId }: Pick<PromotionAssignment, 'promotionId' | 'contactId'>,
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
