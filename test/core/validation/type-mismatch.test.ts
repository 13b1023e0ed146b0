import { expect, it } from 'vitest';
import * as z from '../../../src/core/validation/deferred-zod.ts';
import { fieldErrors } from '../../../src/core/validation/unknown-fields.ts';
import { flag, integer, arrayOf, number, objectOf, text } from '../../../src/core/validation/field-types.ts';

const schema = objectOf({ amount: number, count: integer, isNew: flag, name: text, rows: arrayOf(objectOf({})) });
const right = { amount: 1.5, count: 1, isNew: true, name: 'a', rows: [{}] };

const toldOf = (sent: object): string[] => {
  const { error } = schema.safeParse(sent);
  return fieldErrors(error ?? new z.ZodError([]), sent).map((wrong) => `${wrong.field} ${wrong.errorDescription}`);
};

it.each([
  [{ amount: '100.00' }, 'amount must be a finite number, not a text'],
  [{ amount: Infinity }, 'amount must be a finite number'],
  [{ count: 1.5 }, 'count must be a whole number'],
  [{ count: null }, 'count must be a whole number, not null'],
  [{ isNew: 'true' }, 'isNew must be true or false, not a text'],
  [{ name: 5 }, 'name must be a text, not a number'],
  [{ name: true }, 'name must be a text, not a boolean'],
  [{ rows: {} }, 'rows must be a list, not an object'],
  [{ rows: [{}, []] }, 'rows[1] must be an object, not a list'],
  [{ name: undefined }, 'name is required: a text'],
])('%j is told to be of another kind where it is', (sent, told) => {
  expect(toldOf({ ...right, ...sent })).toEqual([told]);
});
