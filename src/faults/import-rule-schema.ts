import * as z from '../core/validation/deferred-zod.ts';
import { durationSchema } from '../core/validation/duration-schema.ts';
import { integer, objectOf, requiredText } from '../core/validation/field-types.ts';
import { commonRuleFields, expectedForms, oneOrMore } from './rule-schema.ts';

const faultForms = 'one of fail, refuse, or {"late": "30m"} or {"break": 4096}';

const withValue = objectOf({
  late: durationSchema.optional().describe('The batch runs so much later on the tenant’s clock'),
  break: integer
    .min(0, { error: 'must not be negative' })
    .optional()
    .describe('The SFTP or FTP server is gone when so many bytes of the upload have arrived'),
}).refine((sent) => Object.keys(sent).length === 1, { error: `must be ${faultForms}` });

const fault = z.union([z.enum(['fail', 'refuse'], { error: `must be ${faultForms}` }), withValue], {
  error: expectedForms(faultForms),
});

export const importRuleFields = {
  ...commonRuleFields,
  match: objectOf({
    file: requiredText.optional().describe('Name of the file, with * for any characters'),
  })
    .optional()
    .describe('Names the files that are meant by refuse and break (default: all)'),
  fault: oneOrMore(fault, faultForms).describe(
    `Says what goes wrong with a batch (fail, late), a file (refuse) or an upload (break): ${faultForms}, or a list of these`,
  ),
};

export const importRuleSchema = objectOf(importRuleFields).meta({ id: 'ImportRule' });

export type ImportRuleSpec = z.output<typeof importRuleSchema>;
