import { expect, it } from 'vitest';
import type { Endpoint } from '../../src/core/exchange/endpoint.ts';
import { adminEndpoints } from '../../src/admin/endpoints.ts';
import { endpoints } from '../../src/service/endpoints.ts';
import { calledPath } from '../support/examples.ts';
import { openSim } from '../support/open-sim.ts';

type Shown = Pick<Endpoint, 'id' | 'method' | 'path' | 'examples' | 'errors'>;

const shown: readonly Shown[] = [...endpoints, ...adminEndpoints];

const examples = shown.flatMap((endpoint) =>
  endpoint.examples.map((example, i) => ({ name: `${endpoint.id} ${i + 1}`, endpoint, example })),
);

// The client compares every good answer with the schema that its endpoint declares.
it.each(examples)('$name is answered as it says', async ({ endpoint, example }) => {
  const { call, sim } = await openSim();
  const { status, body } = await call(endpoint.method, calledPath(endpoint.path, example), { body: example.body });
  await sim.close();
  expect(status, JSON.stringify(body)).toBe(example.status);
  if (status >= 400) expect(endpoint.errors).toContain(body.errorCode);
});

it.each(shown)('$id has an example', ({ examples: own }) => {
  expect(own.length).toBeGreaterThan(0);
});
