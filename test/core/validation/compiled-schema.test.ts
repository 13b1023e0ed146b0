import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { compiledWhenUsed } from '../../../src/core/validation/compiled-schema.ts';
import { countKnownKeys, unknownFields } from '../../../src/core/validation/unknown-fields.ts';
import { countKeys } from '../../../src/http/pipeline/duplicate-keys.ts';
import { endpoints } from '../../../src/service/endpoints.ts';

const bodies = endpoints.flatMap(({ id, body, examples }) =>
  body
    ? (examples ?? []).flatMap((example) => (example.body === undefined ? [] : [[id, body, example.body] as const]))
    : [],
);

/** Puts another value or another name somewhere into a copy of a body. */
function damaged(body: unknown, [at, value, name]: readonly [number, unknown, string]): unknown {
  const copy: unknown = structuredClone(body);
  const holders: object[] = [];
  JSON.stringify(copy, (_, inner: unknown) => {
    if (typeof inner === 'object' && inner !== null) holders.push(inner);
    return inner;
  });
  const holder = holders[at % holders.length] ?? {};
  const names = Object.keys(holder);
  const own = name === '' || Array.isArray(holder) ? (names[at % Math.max(1, names.length)] ?? '0') : name;
  Object.defineProperty(holder, own, { value, enumerable: true, configurable: true, writable: true });
  return copy;
}

const damage = fc.tuple(fc.nat(), fc.jsonValue(), fc.constantFrom('', '', '', 'unknown', '__proto__'));

it.each(bodies)('compiled, the schema of %s parses as it did before', (_, schema, body) => {
  const used = (): typeof schema => compiledWhenUsed(schema);
  for (let i = 0; i < 2100; i++) used();
  expect(used()).not.toBe(schema);
  expect(JSON.stringify(used().parse(body))).toBe(JSON.stringify(schema.parse(body)));
  fc.assert(
    fc.property(damage, (change) => {
      const sent = damaged(body, change);
      const [compiled, own] = [used().safeParse(sent), schema.safeParse(sent)];
      expect(JSON.stringify(compiled.data)).toBe(JSON.stringify(own.data));
      expect(compiled.error?.issues).toEqual(own.error?.issues);
    }),
    { numRuns: 200 },
  );
});

it.each(bodies)('the keys of %s are counted only where all are known', (_, schema, body) => {
  expect(countKnownKeys(schema, body) ?? countKeys(body)).toBe(countKeys(body));
  fc.assert(
    fc.property(damage, (change) => {
      const sent = damaged(body, change);
      const known = countKnownKeys(schema, sent);
      if (known === undefined) return;
      expect(known).toBe(countKeys(sent));
      expect(unknownFields(schema, sent)).toEqual([]);
    }),
  );
});
