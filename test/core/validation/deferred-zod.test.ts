import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as zod from 'zod';
import * as z from '../../../src/core/validation/deferred-zod.ts';

describe('the deferred zod', () => {
  it('builds a schema when it is first used, and once', () => {
    let built = 0;
    const thing = z.object({
      get name() {
        built += 1;
        return z.string();
      },
    });
    const things = z.array(thing.optional().describe('A thing')).min(1);
    expect(built).toBe(0);
    expect(things.safeParse([]).success).toBe(false);
    expect(things.parse([{ name: 'a' }])).toEqual([{ name: 'a' }]);
    expect(built).toBe(1);
  });

  it('stands for the schema that zod builds', () => {
    expect(z.toJSONSchema(declared(z))).toEqual(zod.toJSONSchema(declared(zod)));
    expect(declared(z).meta()).toEqual({ title: 'A thing' });
    expect(Object.keys(declared(z).shape)).toEqual(['id', 'kind', 'size', 'inner', 'at']);
    expect(declared(z)).toBeInstanceOf(zod.ZodObject);
    const wrong = { id: 1, kind: 'c', inner: [{ a: 2 }], more: true };
    expect(declared(z).safeParse(wrong).error?.issues).toEqual(declared(zod).safeParse(wrong).error?.issues);
  });

  it('is what all code but that of the point master declares schemas by', () => {
    const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
    const direct = files.filter((file) => /^import \* as z from 'zod'/m.test(readFileSync(`src/${file}`, 'utf8')));
    expect(direct.filter((file) => !file.startsWith('point-master/'))).toEqual([]);
  });
});

const declared = (from: Omit<typeof z, 'deferring'>) =>
  from
    .strictObject({
      id: from.guid().toLowerCase().describe('Its id'),
      kind: from.enum(['a', 'b']).default('a'),
      size: from.union([from.int().min(1), from.null()]).optional(),
      inner: from.array(from.record(from.string(), from.literal([1, 'x']))).readonly(),
    })
    .extend({ at: from.string().meta({ format: 'date-time' }) })
    .meta({ title: 'A thing' });
