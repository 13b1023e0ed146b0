import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sleepFor } from '../../src/core/time/clock.ts';
import { Capacity } from '../../src/explore/scheduling/capacity.ts';
import { Limiter } from '../../src/explore/scheduling/limiter.ts';
import { outcomeOf } from '../../src/explore/outcome.ts';
import { playSuite } from '../../src/explore/suite.ts';
import type { Suite } from '../../src/explore/suite.ts';
import type { Sim } from '../../src/simulator/sim.ts';
import { startSim } from '../support/open-sim.ts';

/** Begins at this moment, and sends its first request so many ms later. */
const begun = (from: number, start: number) => ({ from, firstAt: from + start, to: from + start + 10 });

describe('the number of clients side by side', () => {
  it('grows by one with each that begins in time, up to the most', () => {
    const capacity = new Capacity(40);
    capacity.learn(begun(0, 30));
    const before = capacity.limit;
    for (let i = 0; i < 3; i++) capacity.note(begun(0, 50));
    expect(capacity.limit).toBe(before + 3);
    for (let i = 0; i < 99; i++) capacity.note(begun(0, 50));
    expect(capacity.limit).toBe(40);
  });

  it('shrinks when one takes long to begin, once for those that were begun before', () => {
    const capacity = new Capacity(10);
    capacity.learn(begun(0, 300));
    capacity.learn(begun(0, 30));
    for (let i = 0; i < 10; i++) capacity.note(begun(0, 31));
    for (let i = 0; i < 5; i++) capacity.note(begun(1, 131));
    expect(capacity.limit).toBe(7);
    for (let i = 0; i < 99; i++) capacity.note(begun(Number.MAX_SAFE_INTEGER / 2, 1000));
    expect(capacity.limit).toBe(1);
  });

  it('knows the runs during which some client was held up', () => {
    const capacity = new Capacity(10);
    capacity.learn(begun(-1e9, 30));
    capacity.note(begun(-1e6, 500));
    expect([-1e6 - 600, -1e6 - 20, -1e6 + 490, -1e6 + 501].map((from) => capacity.wasShort(begun(from, 30)))).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });

  it('follows what may go on now, and the longest work comes first', async () => {
    const places = { limit: 1 };
    const limiter = new Limiter(places);
    const order: string[] = [];
    const work = (name: string) => async () => {
      order.push(name);
      await sleepFor(0);
    };
    const all = [
      limiter.run('line', work('short')),
      limiter.runFirst(work('long'), 1),
      limiter.runFirst(work('longest'), 5),
      limiter.runFirst(work('longer'), 3),
    ];
    await Promise.all(all);
    expect(order).toEqual(['longest', 'longer', 'long', 'short']);
  });
});

const outcomes = ({ results }: Suite) => [...results.values()].map(outcomeOf);

describe('a client on a machine that does not keep up', () => {
  let sim: Sim;
  beforeAll(async () => {
    sim = await startSim({ fixtures: 'empty' });
  });
  afterAll(() => sim.close());

  /** Plays single faults at a client that reads; it gives up where it runs beside others, if it is `hasty`, or anyway. */
  async function play(isHasty: boolean): Promise<Suite> {
    let running = 0;
    const read = async (fetch: typeof globalThis.fetch): Promise<void> => {
      const isHeldUp = running > 1;
      // Longer than any machine takes to make one call.
      if (isHeldUp) await sleepFor(3000);
      for (let attempt = 1; attempt <= 3; attempt++) {
        const response = await fetch('http://127.0.0.1/api/v3/contacts/count').catch(() => undefined);
        if (response?.status === 200 || isHeldUp || !isHasty) return;
        await sleepFor(1100);
      }
    };
    return playSuite(
      {
        openTenant: (run) => sim.tenants.getOrCreate(`held-${isHasty}-${run}`),
        closeTenant: ({ name }) => void sim.tenants.remove(name),
        run: async ({ name }) => {
          running++;
          await read(sim.tenant(name).fetch as typeof globalThis.fetch);
          running--;
          return {};
        },
      },
      {
        levels: 1,
        kills: false,
        jobs: 2,
        select: () => (point) => /\/(?:500|504|lost-before)$/.test(point),
      },
    );
  }

  it('is not failed by a run that passes when it runs alone', async () => {
    expect(outcomes(await play(true))).toEqual(['PASS', 'PASS', 'PASS']);
  });

  it('is failed by what it always does', async () => {
    expect(outcomes(await play(false))).toEqual(['FAIL', 'FAIL', 'FAIL']);
  });
});

describe('an exploration', () => {
  it('begins others while clients wait, as many as there are jobs', async () => {
    const sim = await startSim({ fixtures: 'empty' });
    const jobs = 2 * availableParallelism() + 2;
    let [running, most, isOver] = [0, 0, false];
    const together = new AbortController();
    await playSuite(
      {
        openTenant: (run) => sim.tenants.getOrCreate(`waiting-${run}`),
        closeTenant: ({ name }) => void sim.tenants.remove(name),
        run: async ({ name }, run) => {
          running++;
          // What others leave behind when they stop waiting proves nothing.
          if (!isOver) most = Math.max(most, running);
          if (most === jobs) together.abort();
          for (let i = 0; i < jobs; i++)
            await sim
              .tenant(name)
              .fetch('http://127.0.0.1/api/v3/contacts/count')
              .catch(() => undefined);
          // Nobody runs beside the first two, which learn; the others wait for each other, but not for good.
          if (run > 2 && !together.signal.aborted)
            await Promise.race([once(together.signal, 'abort'), sleepFor(3000).then(() => void (isOver = true))]);
          running--;
          return {};
        },
      },
      { levels: 1, kills: false, jobs, select: () => (point) => point.endsWith('/504') },
    );
    await sim.close();
    expect(most).toBe(jobs);
  });
});
