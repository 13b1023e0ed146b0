import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { hasCurl } from '../support/command.ts';
import { openSimOnPort } from '../support/open-sim-on-port.ts';

const run = promisify(execFile);
const block = /```sh\n(?<commands>.*?)```(?:\s+```json\n(?<promised>.*?)```)?/gs;

interface Played {
  /** What the page says that a block of commands prints, if it does. */
  readonly promised: string | undefined;
  readonly printed: string;
}

/** Runs the commands of the page, one block after the other, in one shell. */
async function play(): Promise<Played[]> {
  const page = await readFile('docs/checkout.md', 'utf8');
  const blocks = [...page.matchAll(block)].map(({ groups }) => groups ?? {});
  const { url } = await openSimOnPort();
  const script = blocks.map(({ commands }) => `${commands}\nprintf '\\0'\n`).join('');
  const { stdout } = await run('bash', ['-c', script.replace('http://127.0.0.1:4010', url)]);
  const printed = stdout.split('\0');
  return blocks.map(({ promised }, i) => ({ promised, printed: printed[i] ?? '' }));
}

describe.skipIf(!hasCurl)('docs/checkout.md', () => {
  it('shows what its commands answer', async () => {
    const shown = (await play()).filter(({ promised }) => promised !== undefined);
    expect(shown).toHaveLength(3);
    expect(shown.map(({ printed }) => JSON.parse(printed))).toEqual(
      shown.map(({ promised = '' }) => JSON.parse(promised)),
    );
  });

  it('is a sale without a warning, in which only the second redeeming is refused', async () => {
    const { items } = JSON.parse((await play()).at(-1)?.printed ?? '');
    expect(items.map(({ status }: { status: number }) => status)).toEqual([200, 200, 200, 200, 409, 202, 200, 200]);
    expect(items.flatMap(({ warnings }: { warnings: unknown[] }) => warnings)).toEqual([]);
  });
});
