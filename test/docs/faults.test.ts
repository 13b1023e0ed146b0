import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openEmptySim } from '../support/open-sim.ts';

/** The faults that the page shows first, as they stand in its table. */
const shown = [...readFileSync('docs/faults.md', 'utf8').matchAll(/^\| [^|`]+ \| `([{[].*?)` +\|$/gm)].map(
  ([, fault = '']) => fault,
);

it('shows faults that are taken as they stand', async () => {
  const { post } = await openEmptySim();
  const statuses = await Promise.all(
    shown.map(async (fault) => (await post('/__admin/faults', { fault: JSON.parse(fault) })).status),
  );
  expect(statuses).toEqual(Array.from({ length: 8 }, () => 201));
});
