import { startCommand, tidy } from '../test/support/command.ts';
import { diceFrom } from '../test/support/mutations.ts';
import type { ProofRow } from './row.ts';
import { digest, drawCall, sender } from './traffic.ts';
import type { Call } from './traffic.ts';

const [tenants, workers, callsEach, seed] = [200, 50, 500, 20261123];
const arrangement = ['--fixtures', 'default', '--now', '2026-03-01T12:00:00Z', '--log', 'silent'];

const nameOf = (n: number): string => `tenant-${n}`;

function callsOf(tenant: number, count: number): Call[] {
  const dice = diceFrom(seed + tenant);
  return Array.from({ length: count }, (_, n) => drawCall(dice, n));
}

/** Shows that what a tenant responds with does not depend on what others do at the same time. */
export const isolation: ProofRow = {
  name: 'isolation',
  what: `${tenants} tenants called by ${workers} workers at once, ${callsEach} requests each, against the same requests one after another (seed ${seed})`,
  asked: 'every response the same, byte for byte',
  page: 'docs/proof.md',
  isQuick: true,
  run: async ({ print, share }) => {
    const each = share(callsEach);
    const together = await startCommand(arrangement);
    const crowd = sender(together.url);
    const seen = new Map<number, string[]>();
    const work = async (worker: number): Promise<void> => {
      const own = Array.from({ length: tenants / workers }, (_, i) => worker + i * workers);
      const plans = own.map((tenant) => ({ tenant, calls: callsOf(tenant, each) }));
      for (let n = 0; n < each; n++) {
        for (const { tenant, calls } of plans) {
          const call = calls[n];
          if (!call) continue;
          const got = digest(await crowd.send(call, nameOf(tenant)));
          seen.set(tenant, [...(n === 0 ? [] : (seen.get(tenant) ?? [])), got]);
        }
      }
    };
    await Promise.all(Array.from({ length: workers }, (_, worker) => work(worker)));
    crowd.close();
    await together.signal('SIGTERM');

    const alone = await startCommand(arrangement);
    const single = sender(alone.url);
    let [compared, different] = [0, 0];
    for (const [tenant, answers] of seen) {
      for (const [n, call] of callsOf(tenant, each).entries()) {
        compared++;
        const got = await single.send(call, nameOf(tenant));
        if (digest(got) === answers[n]) continue;
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
      isReached: different === 0 && compared === tenants * each,
    };
  },
};
