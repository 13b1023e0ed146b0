/** docs/commands.md names every flag that the help of a command prints. */
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { createProgram } from '../../src/cli/program.ts';

const options = readFileSync('docs/options.md', 'utf8');
const sections = readFileSync('docs/commands.md', 'utf8').split(/^## /mu);
const sectionOf = (name: string): string => sections.find((one) => one.startsWith(`${name}\n`)) ?? '';
const common = sectionOf('Commands for a running simulator');

const flagsOf = ({ options: own, commands }: Command): string[] => [
  ...own.flatMap(({ long }) => long ?? []),
  ...commands.flatMap(flagsOf),
];

/** True when the pages tell of a flag of a command. */
function isTold(flag: string, command: Command): boolean {
  const section = sectionOf(command.name());
  const told = new RegExp(`^\\| \`(?:-\\w, )?${flag}[ \`]`, 'mu');
  if (told.test(section)) return true;
  const [but = ''] = /options of `start`\]\(options\.md\)[^\n]*/u.exec(section) ?? [];
  if (but !== '' && !but.includes(`\`${flag}\``) && new RegExp(`\`${flag}[ \`]`, 'u').test(options)) return true;
  return flagsOf(command).includes('--url') && told.test(common);
}

const { commands } = await createProgram(() => {});

describe('docs/commands.md', () => {
  it.each(commands.map((command) => [command.name(), command] as const))('tells of every flag of %s', (_, command) => {
    expect(flagsOf(command).filter((flag) => !isTold(flag, command))).toEqual([]);
  });
});
