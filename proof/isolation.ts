import { monotonicNow } from '../src/core/time/clock.ts';
import { startCommand, tidy } from '../test/support/command.ts';
import { diceFrom } from '../test/support/mutations.ts';
import type { ProofRow } from './row.ts';
import { digest, drawCall, sender } from './traffic.ts';
import type { Call } from './traffic.ts';

const [tenants, workers, minutes, seed] = [200, 50, 5, 20261123];
const arrangement = ['--fixtures', 'default', '--now', '2026-03-01T12:00:00Z', '--log', 'silent'];

const nameOf = (n: number): string => `tenant-${n}`;

/** Draws the requests of a tenant, one after another. */
function* callsOf(tenant: number): Generator<Call, never> {
  const dice = diceFrom(seed + tenant);
  for (let n = 0; ; n++) yield drawCall(dice, n);
}

/** Shows that what a tenant responds with does not depend on what others do at the same time. */
export const isolation: ProofRow = {
  name: 'isolation',
  what: `${tenants} tenants called by ${workers} workers at once for ${minutes} minutes, against the same requests one after another (seed ${seed})`,
  asked: 'every response the same, byte for byte',
  page: 'docs/proof.md',
  isQuick: true,
  run: async ({ print, share }) => {
    const together = await startCommand(arrangement);
    const crowd = sender(together.url);
    const end = monotonicNow() + share(minutes * 60) * 1000;
    const seen = new Map<number, string[]>();
    const work = async (worker: number): Promise<void> => {
      const own = Array.from({ length: tenants / workers }, (_, i) => {
        const [tenant, answers]: [number, string[]] = [worker + i * workers, []];
        seen.set(tenant, answers);
        return { tenant, answers, calls: callsOf(tenant) };
      });
      while (monotonicNow() < end)
        for (const { tenant, answers, calls } of own)
          answers.push(digest(await crowd.send(calls.next().value, nameOf(tenant))));
    };
    await Promise.all(Array.from({ length: workers }, (_, worker) => work(worker)));
    crowd.close();
    await together.signal('SIGTERM');

    const alone = await startCommand(arrangement);
    const single = sender(alone.url);
    let [compared, different] = [0, 0];
    for (const [tenant, answers] of seen) {
      const calls = callsOf(tenant);
      for (const [n, answer] of answers.entries()) {
        const call = calls.next().value;
        compared++;
        const got = await single.send(call, nameOf(tenant));
        if (digest(got) === answer) continue;
        if (different++ < 5)
          print(
            `  ${nameOf(tenant)}, request ${n}, ${call.method} ${call.path}: ${got.status} ${got.text.slice(0, 200)}`,
          );
      }
    }
    single.close();
    await alone.signal('SIGTERM');
    tidy();
    return {
      figure: `${different} differences in ${compared} responses`,
      isReached: different === 0 && compared > tenants,
    };
  },
};
