import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readdirSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { monotonicNow } from '../src/core/time/clock.ts';
import { startCommand, tidy } from '../test/support/command.ts';
import { folderWith } from '../test/support/folders.ts';
import { diceFrom, pick } from '../test/support/mutations.ts';
import { median } from './row.ts';
import type { ProofRow } from './row.ts';
import { drawCall, sender } from './traffic.ts';
import type { Dice } from './traffic.ts';

const [minutes, workers, pause, seed] = [60, 8, 20, 20261123];

/** The memory may grow by this factor from the second third to the last: the first fills journals and caches. */
const maxGrowth = 1.15;

/** Limits by how much the time of a small request may grow, which waits for the loop, against that of a bare server. */
const maxSlowing = 1.5;

type Send = ReturnType<typeof sender>['send'];

/** Shows what a process holds at a moment. */
interface Sample {
  /** Holds the resident memory in MB. */
  readonly memory: number;
  /** Counts open files, sockets included. */
  readonly handles: number;
}

function sample(pid: number): Sample {
  const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return { memory: Number(kilobytes) / 1024, handles: readdirSync(`/proc/${pid}/fd`).length };
}

/** Starts a server that does nothing else: the same machine keeps both of them waiting. */
async function startBareServer(): Promise<{ readonly url: string; readonly stop: () => void }> {
  const child = spawn(process.execPath, ['bench/bare.mjs'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [ready] = (await once(child.stdout, 'data')) as [Buffer];
  return { url: (JSON.parse(ready.toString()) as { url: string }).url, stop: () => void child.kill() };
}

/** Returns how many ms a server took to respond to a small request: its loop is held for no longer. */
async function delayOf(send: Send): Promise<number> {
  const asked = monotonicNow();
  await send({ method: 'GET', path: '/__admin/health' });
  return monotonicNow() - asked;
}

/** Holds what one worker works with; its tenant is its own. */
interface Work {
  readonly send: Send;
  readonly url: string;
  readonly tenant: string;
  readonly dice: Dice;
  readonly n: number;
}

const admin = (send: Send, method: string, path: string, body?: unknown) =>
  send({ method, path: `/__admin${path}`, ...(body !== undefined && { body }) });

/** Opens the stream of events, and breaks it off after a while. */
function followFor(url: string, tenant: string, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const asked = request(`${url}/__admin/events?tenant=${tenant}`, { agent: new Agent() }, (response) => {
      response.resume();
      response.on('error', () => {});
      setTimeout(() => asked.destroy(), ms);
      response.on('close', resolve);
    });
    asked.on('error', () => resolve());
    asked.end();
  });
}

const endings = ['500', '504', { phase: 'after', respond: 'none', end: 'reset' }, { respond: 'partial', end: 'close' }];

const works: readonly ((work: Work) => Promise<unknown>)[] = [
  ({ send, tenant }) => admin(send, 'POST', `/reset?tenant=${tenant}`),
  ({ send, tenant }) => admin(send, 'POST', `/clock?tenant=${tenant}`, { advance: '30d' }),
  ({ send, tenant }) => admin(send, 'GET', `/verdict?tenant=${tenant}`),
  async ({ send, tenant, n }) => {
    await admin(send, 'POST', `/snapshots/s${n % 3}?tenant=${tenant}`);
    await admin(send, 'POST', `/snapshots/s${n % 3}/restore?tenant=${tenant}`);
    await admin(send, 'GET', `/snapshots/diff?tenant=${tenant}&from=s${n % 3}`);
  },
  async ({ send, tenant, dice, n }) => {
    const fault = pick(endings, dice);
    await admin(send, 'POST', `/faults?tenant=${tenant}`, { match: { method: 'POST' }, fault, times: 2 });
    for (let i = 0; i < 4; i++) await send(drawCall(dice, 100 * n + i), tenant).catch(() => {});
    await admin(send, 'DELETE', `/faults?tenant=${tenant}`);
  },
  async ({ send, dice, n, tenant }) => {
    const name = `${tenant}-${n}`;
    await admin(send, 'POST', '/tenants', { name, fixtures: 'default' });
    for (let i = 0; i < 10; i++) await send(drawCall(dice, i), name);
    await admin(send, 'GET', `/verdict?tenant=${name}`);
    await admin(send, 'DELETE', `/tenants/${name}`);
  },
  ({ url, tenant }) => followFor(url, tenant, 200),
];

/** Shows that a simulator that works for a long time keeps to its memory, and leaves nothing open. */
export const soak: ProofRow = {
  name: 'soak',
  what: `${minutes} minutes of mixed work by ${workers} workers: requests, faults, resets, snapshots, moves of the clock, verdicts, tenants that come and go, streams that break off, a saved state (seed ${seed})`,
  asked: `memory in the last third at most ${maxGrowth} × that in the second, a small request at most ${maxSlowing} × as long, against that of a bare server next to it; no more open files after than before; no 5xx but the faults'`,
  page: 'docs/proof.md',
  run: async ({ print, share }) => {
    const data = join(folderWith(), 'state.json');
    const { pid, url, signal } = await startCommand(['--fixtures', 'default', '--data', data, '--log', 'silent']);
    const first = sender(url);
    // Opens what is opened once.
    for (const path of ['/api/v3/stores', '/__admin/verdict', '/__admin/health'])
      await first.send({ method: 'GET', path });
    first.close();
    await sleep(3000);
    const atStart = sample(pid);
    const { send, close } = sender(url);
    const bare = await startBareServer();
    const { send: sendBare, close: closeBare } = sender(bare.url);
    const end = monotonicNow() + share(minutes) * 60_000;
    let [done, failures] = [0, 0];
    const work = async (worker: number): Promise<void> => {
      const dice = diceFrom(seed + worker);
      const tenant = `worker-${worker}`;
      for (let n = 0; monotonicNow() < end; n++) {
        const { status } = await send(drawCall(dice, n), tenant);
        if (status >= 500 && failures++ < 5) print(`  ${tenant}, request ${n}: ${status}`);
        if (dice() < 0.1) await pick(works, dice)({ send, url, tenant, dice, n });
        done++;
        await sleep(pause);
      }
    };
    const samples: (Sample & { readonly delay: number; readonly bareDelay: number })[] = [];
    const watch = async (): Promise<void> => {
      while (monotonicNow() < end) {
        await sleep(1000);
        samples.push({ ...sample(pid), delay: await delayOf(send), bareDelay: await delayOf(sendBare) });
      }
    };
    await Promise.all([watch(), ...Array.from({ length: workers }, (_, worker) => work(worker))]);
    close();
    closeBare();
    bare.stop();
    await sleep(3000);
    const atEnd = sample(pid);
    const { code } = await signal('SIGTERM');
    tidy();
    const third = Math.floor(samples.length / 3);
    const thirds = [0, 1, 2].map((n) => samples.slice(n * third, (n + 1) * third));
    const highest = thirds.map((some) => Math.max(...some.map(({ memory }) => memory)));
    const delays = thirds.map(
      (some) => median(some.map(({ delay }) => delay)) / median(some.map(({ bareDelay }) => bareDelay)),
    );
    const growth = (highest[2] ?? 0) / (highest[1] ?? 1);
    const slowing = (delays[2] ?? 0) / (delays[1] ?? 1);
    return {
      figure: `${done} rounds; ${highest.map((mb) => mb.toFixed(0)).join(', ')} MB at the highest in each third; a small request took ${delays.map((ratio) => ratio.toFixed(2)).join(', ')} × as long as a bare server's at the median; ${atStart.handles} files open before, ${atEnd.handles} after; ${failures} × 5xx; exit ${code}`,
      isReached:
        growth <= maxGrowth &&
        slowing <= maxSlowing &&
        atEnd.handles <= atStart.handles &&
        failures === 0 &&
        code === 0,
    };
  },
};
