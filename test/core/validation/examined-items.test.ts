import { describe, expect, it } from 'vitest';
import { finish } from '../../../src/core/time/steps.ts';
import * as z from '../../../src/core/validation/deferred-zod.ts';
import { examineItems, findTooLongLists, parseWithin } from '../../../src/core/validation/examined-items.ts';
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

describe('a long list', () => {
  it('parses the items of a long list once', () => {
    const { schema, parsed } = listSchema();
    const sent = listOf();
    finish(examineItems(schema, sent, {}));
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
    finish(examineItems(schema, sent, {}));
    const [examined, plain] = [schema.safeParse(sent), listSchema().schema.safeParse(listOf(wrong))];
    expect(examined.success).toBe(false);
    expect(examined.error?.issues).toEqual(plain.error?.issues);
  });

  it('parses what is wrong once, for whoever reports it in plain words', () => {
    const { schema, parsed } = listSchema();
    const wrong = { 7: { name: 'x', size: 'large' }, 8: { name: 'x', size: 13 } };
    const sent = listOf(wrong);
    finish(examineItems(schema, sent, { error: zodMessage }));
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
      expect(() => finish(examineItems(listSchema().schema, sent, {}))).not.toThrow();
    },
  );

  it('finds a list that is too long without a look at its items', () => {
    const { schema, parsed } = limitedSchema();
    const found = findTooLongLists(schema, { texts: Array(100_000).fill('x') }, { error: zodMessage });
    expect(found.map(({ path, message }) => [path, message])).toEqual([[['texts'], 'must have at most 3 texts']]);
    expect(parsed()).toBe(0);
  });

  it.each([{ texts: ['a', 'b', 'c'] }, { texts: null }, {}, 'text', null, { texts: 'long' }, { any: [1, 2, 3, 4, 5] }])(
    'finds no list too long in %j',
    (sent) => {
      expect(findTooLongLists(limitedSchema().schema, sent, {})).toEqual([]);
    },
  );

  it('finds all of some thousand wrong items, and says so of more that it did not look for them', () => {
    const { schema } = limitedSchema();
    const some = parseWithin(schema, wrongItems(2000), {});
    expect([some.isCut, some.parsed.success]).toEqual([false, false]);
    const many = parseWithin(objectOf({ any: arrayOf(integer) }), wrongItems(400_000), { error: zodMessage });
    expect(many.isCut).toBe(true);
    expect(many.parsed.error?.issues).toHaveLength(2001);
    // Nor does that matter to whoever comes next.
    expect(parseWithin(schema, wrongItems(0), {})).toMatchObject({ isCut: false, parsed: { success: true } });
  });

  it('does not take a form whose items were passed over because of another form', () => {
    const item = objectOf({ n: integer });
    const either = z.union([
      objectOf({ kind: z.literal('numbers'), list: arrayOf(item) }),
      objectOf({ kind: z.literal('texts'), list: arrayOf(z.union([item, requiredText])) }),
    ]);
    expect(parseWithin(either, sixThousandTextsAnd('y'), {}).parsed.success).toBe(true);
    expect(parseWithin(either, sixThousandTextsAnd(5), {}).parsed.success).toBe(false);
  });
});

/** Returns the schema of an object with a list that is limited to three items, and how often its items were parsed. */
function limitedSchema() {
  let parsed = 0;
  const item = requiredText.refine(() => ++parsed > 0);
  const list = arrayOf(item).max(3, { error: 'must have at most 3 texts' });
  return {
    schema: z.union([requiredText, objectOf({ texts: list.nullable().optional(), any: arrayOf(integer).optional() })]),
    parsed: () => parsed,
  };
}

const wrongItems = (count: number): unknown => ({ any: Array(count).fill('x') });

const sixThousandTextsAnd = (last: unknown) => ({ kind: 'texts', list: [...Array(6000).fill('x'), last] });
