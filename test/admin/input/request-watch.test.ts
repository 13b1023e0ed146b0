import { describe, expect, it } from 'vitest';
import { watchRequests } from '../../../src/admin/input/request-watch.ts';
import { machineNow } from '../../../src/core/time/clock.ts';
import type { Steps } from '../../../src/core/time/steps.ts';
import { openSim } from '../../support/open-sim.ts';

/** Takes longer than a turn of the event loop may last. */
function* longLook(): Steps<boolean> {
  yield;
  for (const end = machineNow() + 20; machineNow() < end;);
  return true;
}

describe('those who watch requests', () => {
  it('get at once, where nothing is searched, what was completed since, and not what was cleared', async () => {
    const { sim, get, call } = await openSim();
    const told: string[] = [];
    const watch = (name: string, search?: typeof longLook) =>
      watchRequests(sim.tenants.default, {
        isCandidate: () => true,
        search,
        onMeant: ({ number }) => told.push(`${name} ${number}`),
      });
    await get('/api/v3/stores');
    const stop = [watch('slow', longLook), watch('slow too', longLook), watch('quick')];
    await Promise.all([get('/api/v3/stores'), get('/api/v3/stores')]);
    expect(told.filter((one) => one.startsWith('quick'))).toEqual(['quick 2', 'quick 3']);
    await call('DELETE', '/__admin/requests');
    const before = told.length;
    await get('/api/v3/stores');
    await expect.poll(() => told.slice(before)).toEqual(['quick 1', 'slow 1', 'slow too 1']);
    for (const one of stop) one();
  });

  it('have each their turn, and get every request that they mean', async () => {
    const { sim, get } = await openSim();
    let [turn, isOver] = [0, false];
    const count = (): void => {
      turn++;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const told: [number, number, number][] = [];
    const stop = Array.from({ length: 3 }, (_, watcher) =>
      watchRequests(sim.tenants.default, {
        isCandidate: ({ endpoint }) => endpoint === 'listStores',
        search: longLook,
        onMeant: ({ number }) => told.push([watcher, number, turn]),
      }),
    );
    await Promise.all([get('/api/v3/stores'), get('/api/v3/stores')]);
    await expect.poll(() => told.length).toBe(6);
    isOver = true;
    for (const one of stop) one();
    await get('/api/v3/stores');
    expect(told.map(([watcher, number]) => [watcher, number])).toEqual(
      [1, 2].flatMap((number) => [0, 1, 2].map((watcher) => [watcher, number])),
    );
    expect(new Set(told.map(([, , at]) => at)).size).toBe(6);
  });
});
