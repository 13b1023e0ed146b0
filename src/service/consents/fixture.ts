import * as z from '../../core/validation/deferred-zod.ts';
import { withRowsInSteps } from '../../core/state/state.ts';
import { fixtureSection, withoutDuplicates } from '../resource/fixture-section.ts';
import { arrayOf } from '../../core/validation/field-types.ts';
import { consentSchema, consents, localizedText } from './schema.ts';

const texts = localizedText.default({});

/** Describes a consent as a fixture has it: its texts may be left out. */
const consentFixture = consentSchema.extend({
  metaData: z.strictObject({ displayText: texts, linkText: texts, conditionText: texts }).prefault({}),
});

export const consentsFixture = fixtureSection({
  name: 'consents',
  description: 'the consents, which contacts can answer',
  schema: arrayOf(consentFixture),
  load: (state, content, context) =>
    withRowsInSteps(state, consents, withoutDuplicates(content, { section: 'consents', field: 'id', context })),
});
