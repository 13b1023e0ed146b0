/** The scenarios that the pages show work as they stand. */
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { runCommand, tidy } from '../support/command.ts';
import { folderWith } from '../support/folders.ts';

afterEach(tidy);

const blocks = (file: string, language: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(
    ([, text = '']) => text,
  );

const untimed = (text: string): string => text.replaceAll(/[\d.]+ m?s\b/g, '… ms');

describe('the built command', () => {
  it('plays the scenario of docs/first-scenario.md, and prints what the page shows', async () => {
    const [scenario = ''] = blocks('docs/first-scenario.md', 'yaml');
    const shown = blocks('docs/first-scenario.md', 'text')[0] ?? '';
    const { stdout, code } = await runCommand(['run', 'my-first.yaml'], {
      folder: folderWith({ 'my-first.yaml': scenario }),
    });
    expect(untimed(stdout)).toBe(untimed(shown));
    expect(code).toBe(0);
  });

  it('plays the scenario that docs/running-scenarios.md explains steps with, and reads the other', async () => {
    const [scenario = '', waiting = ''] = blocks('docs/running-scenarios.md', 'yaml');
    const folder = folderWith({ 'a.yaml': scenario, 'b.yaml': waiting });
    expect(await runCommand(['run', 'a.yaml'], { folder })).toMatchObject({ code: 0, stderr: '' });
    expect((await runCommand(['validate', 'b.yaml'], { folder })).stdout).toBe('b.yaml: a valid scenario\n');
  });
});
