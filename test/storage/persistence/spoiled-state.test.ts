import { afterEach, expect, it } from 'vitest';
import { tidySaved } from '../../support/saved.ts';
import { killedState, spoilStates } from '../../support/saved-mutations.ts';

afterEach(tidySaved);

it('a saved state that was changed is refused with its place and a way out, or taken as it was at some moment, with a note', async () => {
  const { refused, noted, escaped } = await spoilStates(await killedState(3), { seed: 7, count: 160 });
  expect(escaped).toEqual([]);
  expect([refused > 100, noted > 5, refused + noted]).toEqual([true, true, 160]);
});
