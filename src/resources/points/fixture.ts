import { toTimestamp } from '../../core/clock.ts';
import { getRow, withRows } from '../../core/state.ts';
import { contacts } from '../contacts/schema.ts';
import { fixtureSection, withoutRepeats } from '../fixture.ts';
import { listOf } from '../formats.ts';
import { pointDefinitions, pointDefinitionSchema, pointTransactions, pointTransactionSchema } from './schema.ts';

export const pointDefinitionsFixture = fixtureSection({
  name: 'pointDefinitions',
  schema: listOf(pointDefinitionSchema),
  load: (state, content, context) =>
    withRows(state, pointDefinitions, withoutRepeats(content, { section: 'pointDefinitions', field: 'id', context })),
});

export const pointTransactionsFixture = fixtureSection({
  name: 'pointTransactions',
  schema: listOf(pointTransactionSchema.partial({ id: true, transactionDate: true })),
  load: (state, content, context) => {
    const rows = content.map((row, i) => {
      const { id = context.newId(), transactionDate = toTimestamp(context.now), contactId, definitionId } = row;
      const path = `pointTransactions[${i}]`;
      if (!getRow(state, contacts, contactId)) {
        context.report(`${path}.contactId`, `no contact of this fixture has the id ${contactId}`);
      }
      if (!getRow(state, pointDefinitions, String(definitionId))) {
        context.report(`${path}.definitionId`, `no point definition of this fixture has the id ${definitionId}`);
      }
      return { ...row, id, transactionDate };
    });
    const different = withoutRepeats(rows, { section: 'pointTransactions', field: 'id', context });
    return withRows(state, pointTransactions, different);
  },
});
