import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import { startCommand, tidy } from '../test/support/command.ts';
import { folderWith } from '../test/support/folders.ts';
import { diceFrom } from '../test/support/mutations.ts';
import type { ProofRow } from './row.ts';
import { digest, drawCall, sender } from './traffic.ts';

const [calls, seed] = [400, 7];
const places = [
  { TZ: 'UTC', LC_ALL: 'C' },
  { TZ: 'Asia/Kolkata', LC_ALL: 'sv_SE.UTF-8' },
  { TZ: 'America/St_Johns', LC_ALL: 'tr_TR.UTF-8' },
] as const;

/** Returns the path of a release of Node, which npm brings. */
function nodeOf(version: string): string {
  if (process.versions.node.startsWith(`${version}.`)) return process.execPath;
  const args = ['scripts/with-node.mjs', version, 'node', '--print', 'process.execPath'];
  const { stdout, status } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`Node ${version} can't be had`);
  return stdout.trim().split('\n').at(-1) ?? '';
}

/**
 * Returns one digest of all responses; the simulator is stopped half way and started again with the state that it
 * saved.
 */
async function play(node: string, env: Readonly<Record<string, string>>, count: number): Promise<string> {
  const data = join(folderWith(), 'state.json');
  const args = [
    '--fixtures',
    'default',
    '--seed',
    String(seed),
    '--now',
    '2026-03-01T12:00:00Z',
    '--data',
    data,
    '--log',
    'silent',
  ];
  const dice = diceFrom(seed);
  const all = createHash('sha256');
  for (const half of [0, 1]) {
    const started = await startCommand(args, { env, program: [node, resolve('dist/cli.cjs')] });
    const client = sender(started.url);
    for (let n = 0; n < count / 2; n++) all.update(digest(await client.send(drawCall(dice, half * count + n))));
    client.close();
    await started.signal('SIGTERM');
  }
  return all.digest('hex').slice(0, 16);
}

/** Shows that the same requests get the same bytes everywhere. */
export const determinism: ProofRow = {
  name: 'determinism',
  what: `${calls} requests from seed ${seed}, on Node 20, 22 and 24, in three time zones and locales, over a restart`,
  asked: 'the same bytes in all nine',
  page: 'docs/proof.md',
  isQuick: true,
  run: async ({ print, share }) => {
    const count = 2 * share(calls / 2);
    const digests: string[] = [];
    for (const version of ['20', '22', '24']) {
      const node = nodeOf(version);
      for (const place of places) {
        const made = await play(node, place, count);
        print(`  Node ${version}, ${place.TZ}, ${place.LC_ALL}: ${made}`);
        digests.push(made);
      }
    }
    tidy();
    const different = new Set(digests).size;
    return {
      figure: `${different === 1 ? 'one digest' : `${different} digests`} in ${digests.length} runs of ${count} requests`,
      isReached: different === 1,
    };
  },
};
