import { startCommand, tidy } from '../test/support/command.ts';
import type { ProofRow } from './row.ts';
import { account, sender } from './traffic.ts';

const [clients, writesEach] = [50, 200];

interface Interval {
  readonly from: number;
  readonly to: number;
}

/** Counts how many of some moments, in ascending order, come before another. */
function countBefore(moments: readonly number[], moment: number): number {
  let [low, high] = [0, moments.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((moments[middle] ?? 0) < moment) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Shows that writes of one tenant take effect one after another, each between its request and its response. */
export const linearizability: ProofRow = {
  name: 'linearizability',
  what: `${clients} clients that each add 1 point to the same account ${writesEach} times and read its total after each`,
  asked:
    'every total between the writes that were over before the read began and those begun before it was over; none goes back; none is lost',
  page: 'docs/proof.md',
  isQuick: true,
  run: async ({ print, share }) => {
    const each = share(writesEach);
    const started = await startCommand(['--fixtures', 'default', '--now', '2026-03-01T12:00:00Z', '--log', 'silent']);
    const { send, close } = sender(started.url);
    const read = async (): Promise<number> => {
      const { text } = await send({ method: 'GET', path: `/api/v3/point-accounts/${account}` });
      const { balance }: { readonly balance: number } = JSON.parse(text);
      return balance;
    };
    const base = await read();
    const writes: Interval[] = [];
    const reads: (Interval & { readonly total: number })[] = [];
    const work = async (client: number): Promise<void> => {
      for (let n = 0; n < each; n++) {
        const transactionId = `w-${client}-${n}`;
        const body = { accountId: account, amount: 1, type: 'Addition', transactionId };
        const from = performance.now();
        const { status, text } = await send({ method: 'POST', path: '/api/v3/point-transactions', body });
        if (status >= 300) throw new Error(`a write got ${status}: ${text}`);
        writes.push({ from, to: performance.now() });
        const asked = performance.now();
        const total = (await read()) - base;
        reads.push({ from: asked, to: performance.now(), total });
      }
    };
    await Promise.all(Array.from({ length: clients }, (_, client) => work(client)));
    const total = (await read()) - base;
    close();
    await started.signal('SIGTERM');
    tidy();
    const [begun, over] = [writes.map(({ from }) => from), writes.map(({ to }) => to)].map((of) =>
      of.toSorted((a, b) => a - b),
    );
    let wrong = 0;
    for (const shown of reads) {
      const isPossible =
        shown.total >= countBefore(over ?? [], shown.from) && shown.total <= countBefore(begun ?? [], shown.to);
      if (!isPossible && wrong++ < 5) print(`  a read from ${shown.from} to ${shown.to} showed ${shown.total}`);
    }
    // A read that began after another was over shows no less.
    const byEnd = reads.toSorted((a, b) => a.to - b.to);
    let highest = 0;
    let next = 0;
    for (const shown of reads.toSorted((a, b) => a.from - b.from)) {
      for (let earlier = byEnd[next]; earlier && earlier.to < shown.from; earlier = byEnd[++next])
        highest = Math.max(highest, earlier.total);
      if (shown.total < highest) wrong++;
    }
    const lost = clients * each - total;
    return {
      figure: `${wrong} wrong of ${reads.length} reads, ${lost} of ${writes.length} writes lost`,
      isReached: wrong === 0 && lost === 0,
    };
  },
};
