import { readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runCommand, startCommand, tidy } from '../test/support/command.ts';
import { folderWith } from '../test/support/folders.ts';
import { closeReceivers, openReceiver, webhookKey } from '../test/support/receiver.ts';
import { contacts } from './heavy-calls/content.ts';
import { fileCalls } from './heavy-calls/files.ts';
import { filledBodies } from './heavy-calls/filled-bodies.ts';
import type { HeavyCall } from './heavy-calls/heavy-call.ts';
import { journalCalls } from './heavy-calls/journal.ts';
import { ruleCalls } from './heavy-calls/rules.ts';
import { serviceCalls } from './heavy-calls/service.ts';
import { stateCalls } from './heavy-calls/states.ts';
import type { ProofRow } from './row.ts';
import { sender } from './traffic.ts';

/** Limits a turn, in ms. */
const limit = 100;

const heavyCalls: readonly HeavyCall[] = [
  ...serviceCalls,
  ...ruleCalls,
  ...journalCalls,
  ...stateCalls,
  ...fileCalls,
  ...Object.entries(filledBodies).map(([name, call]) => ({ name, call, isRefused: true })),
];

/** Shows that nobody waits long for a call of somebody else. */
export const longestTurn: ProofRow = {
  name: 'longest-turn',
  what: `large requests to service and control API, each the first of its kind in a process of its own`,
  asked: `no turn of the event loop above ${limit} ms`,
  page: 'docs/proof.md',
  run: async ({ isWanted, print }) => {
    const fixture = join(folderWith(), 'large.json');
    await runCommand(['generate', '--contacts', String(contacts), '--out', fixture]);
    const folder = folderWith();
    const args = ['--import-folder', folder, '--now', '2026-03-01T12:00:00Z', '--log', 'silent'];
    const followed = [
      '--mode',
      'point-follower',
      '--webhook-url',
      (await openReceiver()).url,
      '--webhook-key',
      webhookKey,
    ];
    let [longest, above, unlike] = [0, 0, 0];
    for (const heavy of heavyCalls.filter(({ name }) => isWanted(name))) {
      const { name, isLarge, isRefused = false, args: own = heavy.isFollowed ? followed : [], prepare, call } = heavy;
      const file = join(folderWith(), 'turns');
      const { url, signal } = await startCommand([...args, ...own, '--fixtures', isLarge ? fixture : 'default'], {
        env: { TURN_FILE: file },
        program: [process.execPath, '--import', resolve('proof/turn-probe.mjs'), resolve('dist/cli.cjs')],
      });
      const { send, close } = sender(url);
      await send({ method: 'GET', path: '/__admin/health' });
      await prepare?.(send);
      await sleep(200);
      rmSync(file, { force: true });
      const { status, text } = await call(send);
      await send({ method: 'GET', path: '/api/v3/stores' });
      const turns = readTurns(file);
      close();
      await signal('SIGKILL');
      const highest = Math.max(0, ...turns);
      print(
        `  ${highest > limit ? '✗' : '✓'} ${name}: ${highest} ms${turns.length > 1 ? ` (${turns.join(', ').slice(0, 60)})` : ''}, ${status}, ${text.length} characters ${status >= 300 ? text.slice(0, 300) : ''}`,
      );
      longest = Math.max(longest, highest);
      if (highest > limit) above++;
      // Another response would come from less work.
      const isMeant = status === (heavy.status ?? (isRefused ? 400 : Math.min(status, 299)));
      if (!isMeant) unlike++;
    }
    await closeReceivers();
    tidy();
    const figure = `${longest} ms at the most, ${above} of ${heavyCalls.length} above`;
    return {
      figure: unlike === 0 ? figure : `${figure}; ${unlike} got another response than meant`,
      isReached: above + unlike === 0,
    };
  },
};

function readTurns(file: string): number[] {
  try {
    return readFileSync(file, 'utf8').trimEnd().split('\n').map(Number);
  } catch {
    return [];
  }
}
