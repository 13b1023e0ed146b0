/** Defines the state that is expected: of a contact, and over all tables. */
import * as z from '../../core/validation/deferred-zod.ts';
import { arrayOf, flag, number, objectOf, requiredText } from '../../core/validation/field-types.ts';
import type { StateField } from '../../service/resource/state-field.ts';
import { fromResources } from '../../service/resources.ts';
import { tables } from '../../service/tables.ts';
import { valueMatcherSchema } from '../../matching/match-schema.ts';
import { isValueMatcherSpec } from '../../matching/value-matcher-spec.ts';

const amountForms = 'a number, or a test of one, as {"atLeast": 2}';

/** Accepts placeholders too: their numbers are only known when a script is played. */
const amountText = z.string().regex(/^-?\d+(\.\d+)?$|\$\{/);
const amount = z.union([number, amountText, valueMatcherSchema], {
  error: `must be ${amountForms}`,
});

const maxNames = 1000;

/** Accepts a value, or an object of values by name. */
const amountBy = (names: RegExp, what: string) =>
  z
    .union([number, amountText, z.record(z.string(), z.unknown())], { error: `must be ${amountForms}, or ${what}` })
    .superRefine((sent, context) => {
      if (typeof sent !== 'object' || isValueMatcherSpec(sent)) return refuse(amount, sent, { context, path: [] });
      const values = Object.entries(sent);
      if (values.length > maxNames)
        return context.addIssue({ code: 'custom', message: `must have at most ${maxNames} names` });
      for (const [name, one] of values) {
        const message = `is none of the names that stand here: it must be ${amountForms}, or ${what}`;
        // What stands in for a name is only known when a script is played.
        if (names.test(name) || name.includes('${')) refuse(amount, one, { context, path: [name] });
        else context.addIssue({ code: 'custom', path: [name], message });
      }
    });

interface IssueLocation {
  readonly context: z.core.$RefinementCtx;
  readonly path: readonly string[];
}

function refuse(schema: z.ZodType, sent: unknown, { context, path }: IssueLocation): void {
  for (const issue of schema.safeParse(sent).error?.issues ?? []) {
    context.addIssue({ code: 'custom', path: [...path, ...issue.path], message: issue.message });
  }
}

/** Reads a key of the state by what its noun says may stand there. */
function stateFieldSchema(field: StateField): z.ZodType {
  switch (field.kind) {
    case 'amount':
      return amount;
    case 'amount-by-name':
      return amountBy(field.names, field.hint);
    case 'amount-or-list':
      return z.union([arrayOf(requiredText), amount], { error: `must be ${amountForms}, or ${field.hint}` });
    case 'flag-by-name':
      return z.record(
        z.string(),
        z.union([flag, valueMatcherSchema], { error: 'must be true, false, or {"exists": false}' }),
      );
  }
}

const fieldSchemas: Readonly<Record<string, z.ZodType>> = Object.fromEntries(
  fromResources(({ state }) => state && Object.entries(state)).map(([name, field]) => [
    name,
    stateFieldSchema(field).optional().describe(field.description),
  ]),
);

export const stateSchema = objectOf({
  contact: requiredText.optional().describe('Contact to check: its id, or any key such as the e-mail address'),
  contactType: requiredText.optional().describe('Contact type, required where contacts of several types have the key'),
  exists: flag.optional().describe('The contact exists (true) or does not (false)'),
  fields: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('Fields of the contact as the service returns it, by JSON path'),
  ...fieldSchemas,
  count: objectOf(
    Object.fromEntries(tables.map(({ name }) => [name, amount.optional().describe(`Counts the rows of ${name}`)])),
  )
    .optional()
    .describe('Numbers of rows by table: {"contacts": 21}'),
}).meta({ id: 'ExpectedState' });

export type ExpectedState = z.output<typeof stateSchema>;
