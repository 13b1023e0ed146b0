import { expect, it } from 'vitest';
import { finish } from '../../../src/core/time/steps.ts';
import * as z from '../../../src/core/validation/deferred-zod.ts';
import { examineItems } from '../../../src/core/validation/examined-items.ts';
import { arrayOf, integer, objectOf, requiredText } from '../../../src/core/validation/field-types.ts';
import { zodMessage } from '../../../src/core/validation/zod-messages.ts';

/** Returns the schema of a list in one of several places, and how often its items were parsed. */
function listSchema() {
  let parsed = 0;
  const item = objectOf({
    name: requiredText.transform((name) => name.toUpperCase()),
    size: integer.optional(),
  }).refine(({ size }) => ++parsed > 0 && size !== 13, { error: 'must not be 13' });
  const whole = objectOf({ title: requiredText, items: arrayOf(item).optional() });
  return { schema: z.union([requiredText, z.preprocess((sent) => sent, whole)]), parsed: () => parsed };
}

const listOf = (wrong: Readonly<Record<number, unknown>> = {}) => ({
  title: 'list',
  items: Array.from({ length: 150 }, (_, n) => (n in wrong ? wrong[n] : { name: `n${n}`, size: n + 100 })),
});

it('parses the items of a long list once', () => {
  const { schema, parsed } = listSchema();
  const sent = listOf();
  finish(examineItems(schema, sent));
  expect(parsed()).toBe(150);
  expect(schema.parse(sent)).toEqual(listSchema().schema.parse(listOf()));
  expect(parsed()).toBe(150);
});

it.each([
  [{ 3: { name: '' }, 149: { name: 'x', size: 13 } }],
  [{ 0: null, 1: 'text', 2: 5, 3: [], 4: { size: 1 } }],
  [{ 7: { name: 'x', size: 'large' }, 8: { name: 'x', size: 13 } }],
])('reports what is wrong as it is reported without a look before: %j', (wrong) => {
  const { schema } = listSchema();
  const sent = listOf(wrong);
  finish(examineItems(schema, sent));
  const [examined, plain] = [schema.safeParse(sent), listSchema().schema.safeParse(listOf(wrong))];
  expect(examined.success).toBe(false);
  expect(examined.error?.issues).toEqual(plain.error?.issues);
});

it('parses what is wrong once, for whoever reports it in plain words', () => {
  const { schema, parsed } = listSchema();
  const wrong = { 7: { name: 'x', size: 'large' }, 8: { name: 'x', size: 13 } };
  const sent = listOf(wrong);
  finish(examineItems(schema, sent));
  const before = parsed();
  const words = { error: zodMessage };
  const [examined, plain] = [schema.safeParse(sent, words), listSchema().schema.safeParse(listOf(wrong), words)];
  expect(parsed()).toBe(before);
  expect(examined.error?.issues).toEqual(plain.error?.issues);
  // Nor does it matter how often.
  expect(schema.safeParse(sent, words).error?.issues).toEqual(plain.error?.issues);
});

it.each([undefined, null, 'text', [], {}, { items: 'none' }, { items: {} }])(
  'looks at %j without a complaint',
  (sent) => {
    expect(() => finish(examineItems(listSchema().schema, sent))).not.toThrow();
  },
);
