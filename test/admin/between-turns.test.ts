import { expect, it } from 'vitest';
import { openSim } from '../support/open-sim.ts';

const crowd = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, n) => ({
    email: `${prefix}${n}@example.com`,
    firstName: `First ${n}`,
    street: 'Storgatan 1',
    consents: [{ id: 'newsletter', value: true }],
  }));

/** Opens a simulator with many contacts. */
async function openCrowd() {
  const sim = await openSim();
  for (const prefix of ['a', 'b', 'c', 'd']) await sim.post('/api/v3/contacts/bulk', crowd(prefix, 4000));
  return sim;
}

it.each(['/__admin/contacts?search=example', '/__admin/snapshots/diff?limit=1000'])(
  'serves others while GET %s goes on, which shows the state that it began with',
  async (path) => {
    const { get, post } = await openCrowd();
    const before = (await get(path)).body;
    let isOver = false;
    const showing = get(path).finally(() => (isOver = true));
    const created = await post('/api/v3/contacts', { email: 'between@example.com', firstName: 'Between' });
    expect([created.status, isOver]).toEqual([201, false]);
    expect((await showing).body).toEqual(before);
    expect((await get(path)).body).not.toEqual(before);
  },
  30_000,
);
