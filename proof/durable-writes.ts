import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { monotonicNow } from '../src/core/time/clock.ts';
import { startCommand, tidy } from '../test/support/command.ts';
import { newFile } from '../test/support/saved.ts';
import { median } from './row.ts';
import type { ProofRow } from './row.ts';
import { sender } from './traffic.ts';

const [sizes, rounds, writes, atOnce, limit] = [[1000, 10_000, 100_000], 5, 500, 8, 1];

/** Returns what one fdatasync of a short line takes in a folder, in ms. */
function rawSync(folder: string): number {
  const file = openSync(`${folder}/raw`, 'a');
  const took = Array.from({ length: 100 }, () => {
    writeSync(file, `${'x'.repeat(300)}\n`);
    const began = monotonicNow();
    fdatasyncSync(file);
    return monotonicNow() - began;
  });
  closeSync(file);
  return median(took);
}

/** Starts a simulator whose state is saved, and returns what to do with it. */
async function start(file: string, options: readonly string[]) {
  const { url, signal } = await startCommand([
    '--data',
    file,
    '--journal-bytes',
    '1000000',
    '--log',
    'silent',
    ...options,
  ]);
  const { send, close } = sender(url);
  let [held, written] = [0, 0];
  const create = (body: unknown, path = '') => send({ method: 'POST', path: `/api/v3/contacts${path}`, body });
  return {
    fillTo: async (size: number): Promise<void> => {
      for (; held < size; held += 1000) {
        const { status, text } = await create(
          Array.from({ length: 1000 }, (_, n) => ({ email: `held${held + n}@example.com` })),
          '/bulk',
        );
        if (status !== 202) throw new Error(text);
      }
    },
    /** Returns the time of a write, in ms: with one connection what its client waits, else what the writes share. */
    measure: async (connections: number): Promise<number> => {
      const begin = monotonicNow();
      let sent = 0;
      const work = async (): Promise<void> => {
        while (sent++ < writes) {
          const { status, text } = await create({ email: `written${written++}@example.com` });
          if (status !== 201) throw new Error(text);
        }
      };
      await Promise.all(Array.from({ length: connections }, work));
      return (monotonicNow() - begin) / writes;
    },
    end: async (): Promise<void> => {
      close();
      await signal('SIGTERM');
    },
  };
}

/** Shows what it costs that each write is on the disk before it is responded to. */
export const durableWrites: ProofRow = {
  name: 'durable-writes',
  what: `${writes} writes by ${atOnce} connections, and by one, with \`--durable\` next to as many without, ${rounds} times in turns, at ${sizes.join(', ')} contacts`,
  asked: `at most ${limit} ms more a write than without at each size`,
  page: 'docs/proof.md',
  run: async ({ print }) => {
    const files = [newFile(), newFile()] as const;
    const [plain, durable] = await Promise.all([start(files[0], []), start(files[1], ['--durable'])]);
    const shown: string[] = [];
    let isReached = true;
    for (const size of sizes) {
      await plain.fillTo(size);
      await durable.fillTo(size);
      const raw: number[] = [];
      const added: string[] = [];
      for (const connections of [atOnce, 1]) {
        const more: number[] = [];
        for (let round = 0; round < rounds; round++) {
          const without = await plain.measure(connections);
          more.push((await durable.measure(connections)) - without);
          raw.push(rawSync(dirname(files[1])));
        }
        added.push(median(more).toFixed(2));
        isReached &&= median(more) <= limit;
      }
      const line = `${added[0]} ms at ${size}, by one connection ${added[1]} ms (fdatasync alone ${median(raw).toFixed(2)} ms)`;
      print(`  ${line}`);
      shown.push(line);
    }
    await Promise.all([plain.end(), durable.end()]);
    tidy();
    return { figure: `${shown.join('; ')} more a write`, isReached };
  },
};
