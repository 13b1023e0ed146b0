import type * as z from 'zod';
import { toTimestamp } from '../../core/time/clock.ts';
import { getRow, hasRow, withRowsInSteps } from '../../core/state/state.ts';
import type { State } from '../../core/state/state.ts';
import { contacts } from '../contacts/schema.ts';
import { distinctRows, fixtureSection, itemSection, withoutDuplicates } from '../resource/fixture-section.ts';
import type { FixtureContext } from '../resource/fixture-section.ts';
import { arrayOf } from '../../core/validation/field-types.ts';
import { promotionAssignmentSchema, promotionAssignments, promotions, promotionSchema } from './schema.ts';
import type { PromotionAssignment } from './schema.ts';

export const promotionsFixture = fixtureSection({
  name: 'promotions',
  description: 'the promotions and coupons that can be redeemed',
  schema: arrayOf(promotionSchema),
  load: (state, content, context) =>
    withRowsInSteps(state, promotions, withoutDuplicates(content, { section: 'promotions', field: 'id', context })),
});

const assignmentFixture = promotionAssignmentSchema.partial({ id: true, assignedOn: true });

type AssignmentFixture = z.infer<typeof assignmentFixture>;

export const promotionAssignmentsFixture = itemSection({
  name: 'promotionAssignments',
  description: 'the promotions that contacts hold',
  item: assignmentFixture,
  load: (state, items, context) => {
    const rows = assignmentRows(state, items, context);
    const differing = distinctRows(rows, { section: 'promotionAssignments', field: 'id', context });
    return withRowsInSteps(state, promotionAssignments, differing, context.count);
  },
});

function* assignmentRows(
  state: State,
  items: Iterable<AssignmentFixture>,
  context: FixtureContext,
): Generator<PromotionAssignment> {
  let i = 0;
  for (const row of items) {
    checkReferences(state, row, `promotionAssignments[${i++}]`, context);
    const { id = context.newId(), assignedOn = toTimestamp(context.now) } = row;
    yield { ...row, id, assignedOn };
  }
}

function checkReferences(
  state: State,
  { promotionId, contactId }: Pick<PromotionAssignment, 'promotionId' | 'contactId'>,
  path: string,
  context: FixtureContext,
): void {
  if (!getRow(state, promotions, promotionId)) {
    context.report(`${path}.promotionId`, `no promotion of this fixture has the id ${promotionId}`);
  }
  if (!hasRow(state, contacts, contactId)) {
    context.report(`${path}.contactId`, `no contact of this fixture has the id ${contactId}`);
  }
}
