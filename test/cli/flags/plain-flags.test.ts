import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { readPlainFlags } from '../../../src/cli/flags/plain-flags.ts';
import { typedFlags, withSimulatorFlags } from '../../../src/cli/flags/simulator-flags.ts';
import { flagName, optionEntries } from '../../../src/config/options.ts';

const readByCommander = (args: readonly string[]) => {
  const command = withSimulatorFlags(new Command('start'));
  command.parse(args, { from: 'user' });
  return typedFlags(command);
};

const everyFlag = optionEntries.flatMap(([name, option]) =>
  option.argument === undefined ? [flagName(name, option)] : [flagName(name, option), 'a value'],
);

describe('the reader of plain flags', () => {
  it.each([
    [[]],
    [everyFlag],
    [['--port', '0', '--json', '--log', 'silent']],
    [['--scenario', 'a.yaml', '--api-key', 'k', '--scenario', 'b.yaml', '--config', 'c.json']],
    [['--port', '1', '--port', '2', '--host', '']],
  ])('reads %j as commander does', (args) => {
    expect(readPlainFlags(args)).toEqual(readByCommander(args));
  });

  it.each([
    ['--help'],
    ['-h'],
    ['--prot', '1'],
    ['--port=1'],
    ['--port'],
    ['--queue-delay', '-5s'],
    ['--', 'x'],
    ['x'],
  ])('leaves %s to commander', (...args) => {
    expect(readPlainFlags(args)).toBeUndefined();
  });
});
