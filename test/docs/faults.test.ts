import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openEmptySim } from '../support/open-sim.ts';

/** The faults that the page shows first, as they stand in its table. */
const shown = [...readFileSync('docs/faults.md', 'utf8').matchAll(/^\| [^|`]+ \| `([{[].*?)` +\|$/gm)].map(
  ([, fault = '']) => fault,
);

describe('docs/faults.md', () => {
  it('shows faults that are taken as they stand', async () => {
    const { post } = await openEmptySim();
    const statuses = await Promise.all(
      shown.map(async (fault) => (await post('/__admin/faults', { fault: JSON.parse(fault) })).status),
    );
    expect(statuses).toEqual(Array.from({ length: 8 }, () => 201));
  });

  it('shows a rule that responds where nothing is served', async () => {
    const { post, sim } = await openEmptySim();
    const rule = /faults -d '(\{\n.*?\n\})'/s.exec(readFileSync('docs/faults.md', 'utf8'))?.[1] ?? '';
    expect((await post('/__admin/faults', JSON.parse(rule))).status).toBe(201);
    const response = await sim.fetch(new Request('http://127.0.0.1/api/v3/contacts/7/rewardvouchers'));
    expect([response.status, await response.json()]).toEqual([200, { items: [{ id: 'v-1', value: 100 }] }]);
  });
});
