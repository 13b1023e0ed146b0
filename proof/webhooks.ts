import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startCommand, startMaster, tidy } from '../test/support/command.ts';
import type { Started } from '../test/support/command.ts';
import { folderWith } from '../test/support/folders.ts';
import { diceFrom } from '../test/support/mutations.ts';
import type { ProofRow } from './row.ts';

const [adjustments, restartEvery, contacts, callers, seed] = [100_000, 2000, 40, 8, 20261123];

const agreed = { key: '0123456789abcdef0123456789abcdef', secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' };

/** Lists what goes wrong by chance on the way to the point master, and on its way back. */
const faults = [
  { fault: 'error', status: 503, probability: 0.1 },
  { fault: 'down', probability: 0.05 },
  { fault: 'lost-response', probability: 0.1 },
  { fault: 'repeated-sync', probability: 0.2 },
  { fault: 'stale-sync', probability: 0.2 },
  { fault: 'partial-sync', probability: 0.2 },
];

const contactOf = (n: number): string => `5a0e7c1e-0001-4000-8000-${String((n % contacts) + 1).padStart(12, '0')}`;

interface Totals {
  readonly sent: number;
  readonly delivered: number;
  readonly pending: number;
  readonly failed: number;
  readonly missed: number;
  readonly items: readonly { readonly id: string }[];
}

interface Account {
  readonly contactId: string;
  readonly definitionId: number;
  readonly balance: number;
}

/** Returns the body of a response; throws unless the status is below 300. */
async function call<Body>(method: string, url: string, body?: unknown): Promise<Body> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method, ...(body !== undefined && { headers, body: JSON.stringify(body) }) });
  const text = await response.text();
  if (response.status >= 300) throw new Error(`${method} ${url}: ${response.status} ${text}`);
  // Each caller knows what it asked for.
  return JSON.parse(text) as Body;
}

/** Runs service and point master, each with a file that it goes on from when it was killed. */
class Pair {
  readonly #files = folderWith();
  #service: Started | undefined;
  #master: Started | undefined;
  kills = 0;

  async start(): Promise<void> {
    await this.#startService('0');
    await this.#startMaster('0');
    const webhook = { webhookUrl: this.masterUrl, webhookKey: agreed.key, webhookSecret: agreed.secret };
    const now = '2026-03-01T12:00:00Z';
    await call('POST', `${this.serviceUrl}/__admin/tenants`, {
      name: 'follower',
      mode: 'point-follower',
      now,
      ...webhook,
    });
  }

  get serviceUrl(): string {
    return this.#service?.url ?? '';
  }

  get masterUrl(): string {
    return this.#master?.url ?? '';
  }

  control(path: string): string {
    return `${this.serviceUrl}/__admin/${path}${path.includes('?') ? '&' : '?'}tenant=follower`;
  }

  /** Kills one of the two, and starts it again on its port. */
  async restart(which: 'service' | 'master'): Promise<void> {
    const old = which === 'service' ? this.#service : this.#master;
    const { port } = new URL(old?.url ?? '');
    await old?.signal('SIGKILL');
    this.kills++;
    await (which === 'service' ? this.#startService(port) : this.#startMaster(port));
  }

  async end(): Promise<void> {
    await Promise.all([this.#service?.signal('SIGKILL'), this.#master?.signal('SIGKILL')]);
  }

  async #startService(port: string): Promise<void> {
    const data = join(this.#files, 'service.json');
    const args = ['--fixtures', 'default', '--port', port, '--data', data, '--log', 'silent'];
    this.#service = await startCommand(args);
  }

  async #startMaster(port: string): Promise<void> {
    const keys = ['--key', agreed.key, '--secret', agreed.secret, '--timestamp-tolerance', 'off'];
    const data = ['--data', join(this.#files, 'ledger.json')];
    const sync = ['--service-url', this.serviceUrl, '--sync-every', '1s', '--tenant', 'follower'];
    this.#master = await startMaster(['--port', port, ...keys, ...data, ...sync, '--log', 'silent']);
    await call('PUT', `${this.masterUrl}/__master/faults`, { faults });
  }
}

/** Returns all sums that some of these numbers can have. */
function sumsOf(numbers: readonly number[]): Set<number> {
  let sums = new Set([0]);
  for (const number of numbers) sums = new Set([...sums, ...[...sums].map((sum) => sum + number)]);
  return sums;
}

/** Shows that service and point master come to the same balances, whatever goes wrong between them. */
export const webhooks: ProofRow = {
  name: 'webhooks',
  what: `${adjustments} adjustments that a point master follows by webhooks, with faults by chance on both ways, and \`kill -9\` of either side at every ${restartEvery} (seed ${seed})`,
  asked: 'the same balances on both sides: the sum of what was acknowledged, and of any of what was cut off',
  page: 'docs/proof.md',
  run: async ({ print, share }) => {
    const dice = diceFrom(seed);
    const pair = new Pair();
    await pair.start();
    const sums = new Map<string, number>();
    const uncertain = new Map<string, number[]>();
    const count = share(adjustments);
    let [n, cut] = [0, 0];
    const adjust = async (until: number): Promise<void> => {
      while (n < until) {
        const [contactId, amount] = [contactOf(n), (n % 7) - 2];
        n++;
        if (amount === 0) continue;
        const body = { event: 'adjustPoints', contactId, definitionId: 1, amount };
        try {
          await call('POST', pair.control('trigger'), body);
          sums.set(contactId, (sums.get(contactId) ?? 0) + amount);
        } catch {
          cut++;
          uncertain.set(contactId, [...(uncertain.get(contactId) ?? []), amount]);
          // Whoever is cut off goes on when the service is there again.
          await sleep(200);
        }
      }
    };
    for (let until = restartEvery; until < count + restartEvery; until += restartEvery) {
      const last = Math.min(count, until);
      const working = Promise.all(Array.from({ length: callers }, () => adjust(last)));
      const killAt = last - Math.floor(dice() * restartEvery);
      const isThere = (): boolean => n >= killAt;
      while (!isThere()) await sleep(5);
      await pair.restart(dice() < 0.5 ? 'service' : 'master');
      await working;
      await call('POST', pair.control('clock'), { advance: '1m' });
    }
    print(`  ${count} adjustments, ${cut} cut off, ${pair.kills} kills`);
    const totals = (): Promise<Totals> => call('GET', pair.control('webhooks?limit=1&status=failed'));
    let state = await totals();
    while (state.pending > 0 || state.failed > 0) {
      const [oldest] = state.items;
      // What was given up is asked for once more.
      if (state.pending === 0 && oldest) await call('POST', pair.control(`webhooks/${oldest.id}/redeliver`));
      await call('POST', pair.control('clock'), { advance: '10h' });
      state = await totals();
    }
    await call('PUT', `${pair.masterUrl}/__master/faults`, { faults: [] });
    await call('POST', `${pair.masterUrl}/sync`, { full: true });
    const { accounts } = await call<{ readonly accounts: readonly Account[] }>('GET', `${pair.masterUrl}/ledger`);
    const held = new Map(accounts.map(({ contactId, balance }) => [contactId, balance]));
    let wrong = 0;
    for (const [contactId, sum] of sums) {
      const path = `/t/follower/api/v3/point-accounts?contactId=${contactId}`;
      const { items } = await call<{ readonly items: readonly Account[] }>('GET', `${pair.serviceUrl}${path}`);
      const shown = items.find(({ definitionId }) => definitionId === 1)?.balance;
      const own = held.get(contactId) ?? Number.NaN;
      if (own === shown && sumsOf(uncertain.get(contactId) ?? []).has(own - sum)) continue;
      wrong++;
      print(`  ${contactId}: acknowledged ${sum}, held by the point master ${own}, shown by the service ${shown}`);
    }
    await pair.end();
    tidy();
    const { sent, delivered, missed } = state;
    return {
      figure: `${sent} webhooks, ${delivered} delivered, ${missed} missed, ${pair.kills} kills; ${wrong} of ${sums.size} balances differ`,
      isReached: wrong === 0 && sent === delivered,
    };
  },
};
