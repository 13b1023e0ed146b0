import { readFileSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { runCommand, tidy } from '../support/command.ts';
import { folderWith } from '../support/folders.ts';

afterEach(tidy);

const page = readFileSync('docs/explore.md', 'utf8');
const readme = readFileSync('README.md', 'utf8');
const command = 'npx loyalty-sim explore --level 1 -- node sale.mjs';

/** Compiles the parser of Node's fetch once, without optimizing it: most of a program's time that sends three requests. */
const quickly = "import { setFlagsFromString } from 'node:v8'; setFlagsFromString('--liftoff-only');\n";

const shownBelow = (text: string): string => text.split(`${command}\n\`\`\`\n\n\`\`\`text\n`)[1]?.split('```')[0] ?? '';

it('docs/explore.md and the README show what comes of the till on the page', async () => {
  const [, till = ''] = /```js\n(\/\/ sale\.mjs:.*?)```/s.exec(page) ?? [];
  const folder = folderWith({ 'sale.mjs': quickly + till });
  const { code, stdout, stderr } = await runCommand(command.split(' ').slice(2), { folder });
  expect(code).toBe(1);
  const lines = new Set(`${stdout}${stderr}`.split('\n'));
  expect(shownBelow(page)).toBe(shownBelow(readme));
  expect(
    shownBelow(page)
      .trimEnd()
      .split('\n')
      .filter((line) => !lines.has(line)),
  ).toEqual([]);
});
