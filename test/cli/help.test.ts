import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { examplesOf } from '../../src/cli/flags/shared-flags.ts';
import { createCommandList, createProgram } from '../../src/cli/program.ts';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const program = await createProgram(() => {});
const commands = program.commands.flatMap((command) => [command, ...command.commands]);

describe('the help', () => {
  it('lists the commands by what they are for', () => {
    const headings = program.helpInformation().match(/^[A-Z].*:$/gm);
    expect(headings).toEqual([
      'Options:',
      'Serve:',
      'Test a client:',
      'Drive a running simulator:',
      'For coding agents:',
      'Files:',
      'Commands:',
    ]);
  });

  it('lists the commands alike whether they are loaded or not', () => {
    expect(createCommandList().helpInformation()).toBe(program.helpInformation());
  });

  it('says where the documentation of this version is', () => {
    let text = '';
    program.configureOutput({ writeOut: (part) => (text += part) });
    program.outputHelp();
    expect(text.trimEnd().split('\n').at(-1)).toBe(`The documentation of ${version} is in ${resolve('docs')}`);
  });

  it('of start lists the options by what they are about', () => {
    const start = program.commands.find((command) => command.name() === 'start');
    expect(start?.helpInformation().match(/^[A-Z].*:$/gm)).toEqual([
      'Network:',
      'Data:',
      'Scenario and policy:',
      'Service:',
      'Webhooks and point master:',
      'Receipts as files:',
      'Output:',
      'Options:',
    ]);
  });

  it('of trigger has the events and the fields that the nouns declare', () => {
    const trigger = program.commands.find((command) => command.name() === 'trigger');
    const help = trigger?.helpInformation().replaceAll(/\s+/g, ' ');
    expect(help).toContain('adjustPoints, convertPoints, switchPendingPoints');
    expect(help).toContain('--definition-id <id> definition of points, or definition of a challenge');
    expect(help).toContain('--no-active the opposite of --active');
  });

  it('of generate names the contact types of the built-in fixture', () => {
    const generate = program.commands.find((command) => command.name() === 'generate');
    const { contactTypes } = JSON.parse(readFileSync('fixtures/default.json', 'utf8')) as {
      contactTypes: { id: string }[];
    };
    const names = contactTypes.map(({ id }) => id).join(',');
    expect(generate?.helpInformation().replaceAll(/\s+/g, ' ')).toContain(`between them (default: ${names})`);
  });

  it.each(program.commands.map((command) => [command.name(), command] as const))(
    'has examples of %s',
    (name, command) => {
      const lines = examplesOf(command);
      expect(lines.length).toBeGreaterThan(0);
      for (const line of lines) expect(unknownFlags(command, line)).toEqual([]);
      expect(lines.every((line) => line.startsWith(`loyalty-sim ${name}`))).toBe(true);
    },
  );

  it.each(commands.map((command) => [command.name(), command] as const))(
    'of %s says defaults in one way',
    (_, command) => {
      const text = command.helpInformation().replaceAll(/\s+/g, ' ');
      expect(text).not.toMatch(/unless given|comes? along|\bverb\b|befell/);
    },
  );
});

/** Returns the flags of an example that neither its command nor a subcommand of it declares. */
function unknownFlags(command: Command, line: string): string[] {
  const [own = ''] = line.split(' -- ');
  const known = new Set([command, ...command.commands].flatMap(({ options }) => options.map(({ long }) => long)));
  return (own.match(/--[a-z-]+/g) ?? []).filter((flag) => !known.has(flag));
}

describe('a command', () => {
  it('is loaded alone when it was typed', async () => {
    const typed = await createProgram(() => {}, 'clock');
    expect(typed.commands.map((command) => command.name())).toEqual(['clock']);
  });

  it('that there is not is held against all of them', async () => {
    const typed = await createProgram(() => {}, 'clok');
    expect(typed.commands).toHaveLength(program.commands.length);
  });
});
