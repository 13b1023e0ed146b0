/** The entries for SchemaStore's catalogue, by the rules of that catalogue. */
import { readdirSync, readFileSync } from 'node:fs';
import { matchesGlob } from 'node:path';
import { expect, it } from 'vitest';
import * as z from 'zod';

const read = (name: string): unknown => JSON.parse(readFileSync(`docs/schema/${name}`, 'utf8'));

const catalogue = z.strictObject({
  $schema: z.literal('https://www.schemastore.org/schema-catalog.json'),
  version: z.number(),
  schemas: z.array(
    z.strictObject({
      name: z.string().min(1),
      description: z.string().min(1),
      fileMatch: z.array(z.string()).refine((patterns) => new Set(patterns).size === patterns.length),
      url: z.url({ protocol: /^https$/ }),
    }),
  ),
});

const { schemas } = catalogue.parse(read('schemastore.json'));

it('each entry is about a schema that is here, which bears its address', () => {
  const withId = readdirSync('docs/schema').flatMap((name) => {
    const { $id } = read(name) as { readonly $id?: string };
    return $id === undefined ? [] : [$id];
  });
  expect(schemas.map(({ url }) => url).toSorted()).toEqual(withId.toSorted());
});

it.each([
  ['loyalty-sim.config.json', ['loyalty-sim configuration']],
  ['outage.loyalty-sim.yaml', ['loyalty-sim scenario']],
  ['till/loyalty-sim/scenarios/outage.yaml', ['loyalty-sim scenario']],
  ['scenarios/outage.yaml', []],
  ['package.json', []],
])('a file %s is one of %j', (path, names) => {
  const name = path.split('/').at(-1) ?? '';
  const found = schemas.filter(({ fileMatch }) =>
    // As editors do: a pattern without a folder is about the name.
    fileMatch.some((pattern) => matchesGlob(pattern.includes('/') ? path : name, pattern)),
  );
  expect(found.map((entry) => entry.name)).toEqual(names);
});
