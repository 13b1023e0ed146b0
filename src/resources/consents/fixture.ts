import * as z from 'zod';
import { withRows } from '../../core/state.ts';
import { fixtureSection, withoutRepeats } from '../fixture.ts';
import { listOf } from '../formats.ts';
import { consentSchema, consents, localized } from './schema.ts';

const texts = localized.default({});

/** A consent as a fixture has it: its texts may be left out. */
const consentFixture = consentSchema.extend({
  metaData: z.strictObject({ displayText: texts, linkText: texts, conditionText: texts }).prefault({}),
});

export const consentsFixture = fixtureSection({
  name: 'consents',
  schema: listOf(consentFixture),
  load: (state, content, context) =>
    withRows(state, consents, withoutRepeats(content, { section: 'consents', field: 'id', context })),
});
