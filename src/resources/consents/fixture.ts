import { withRows } from '../../core/state.ts';
import { fixtureSection, withoutRepeats } from '../fixture.ts';
import { listOf } from '../formats.ts';
import { consentSchema, consents } from './schema.ts';

export const consentsFixture = fixtureSection({
  name: 'consents',
  schema: listOf(consentSchema),
  load: (state, content, context) =>
    withRows(state, consents, withoutRepeats(content, { section: 'consents', field: 'id', context })),
});
