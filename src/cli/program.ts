/** Declares the command line. Only the command that was typed is loaded, so that no start waits for the others. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { packageFolder, packageVersion } from '../package/package-info.ts';
import type { DeclareCommand } from './flags/shared-flags.ts';
import { printNote, printResult } from './process/terminal.ts';

type LoadCommand = () => Promise<DeclareCommand>;

/** Lists the commands by the heading that the help prints them under. */
const groups: Readonly<Record<string, Readonly<Record<string, LoadCommand>>>> = {
  'Serve:': {
    start: async () => (await import('./commands/start.ts')).declareStart,
    'point-master': async () => (await import('./commands/point-master.ts')).declarePointMaster,
  },
  'Test a client:': {
    exec: async () => (await import('./commands/exec.ts')).declareExec,
    explore: async () => (await import('./commands/explore.ts')).declareExplore,
    shrink: async () => (await import('./commands/shrink.ts')).declareShrink,
    certify: async () => (await import('./commands/certify.ts')).declareCertify,
    conformance: async () => (await import('./commands/conformance.ts')).declareConformance,
    run: async () => (await import('./commands/run.ts')).declareRun,
  },
  'Drive a running simulator:': {
    requests: async () => (await import('./commands/requests.ts')).declareRequests,
    wait: async () => (await import('./commands/wait.ts')).declareWait,
    verify: async () => (await import('./commands/verify.ts')).declareVerify,
    clock: async () => (await import('./commands/clock.ts')).declareClock,
    reset: async () => (await import('./commands/reset.ts')).declareReset,
    snapshot: async () => (await import('./commands/snapshot.ts')).declareSnapshot,
    trigger: async () => (await import('./commands/trigger.ts')).declareTrigger,
  },
  'For coding agents:': {
    mcp: async () => (await import('./commands/mcp.ts')).declareMcp,
  },
  'Files:': {
    generate: async () => (await import('./commands/generate.ts')).declareGenerate,
    validate: async () => (await import('./commands/validate.ts')).declareValidate,
    repair: async () => (await import('./commands/repair.ts')).declareRepair,
    openapi: async () => (await import('./commands/openapi.ts')).declareOpenapi,
  },
};

const exitCodes = `
Exit codes:
  0   done, or PASS
  1   FAIL, or time is up
  2   bad input
  3   inconclusive
  4   cannot start, or no simulator responds
  70  internal error

loyalty-sim <command> --help prints the options of a command, with examples.`;

/** Says where the documentation of this very version is: on disk, or in the executable. */
function documentationPlace(): string {
  const version = packageVersion();
  const folder = join(packageFolder, 'docs');
  if (packageFolder.startsWith(process.execPath))
    return `The documentation of ${version} is in this executable: loyalty-sim unpack <folder> writes it to a folder.`;
  return existsSync(folder) ? `The documentation of ${version} is in ${folder}` : '';
}

/** Returns the command line with the command of this name, or with all of them where there is none of this name. */
export async function createProgram(done: (exitCode: number) => void, typed?: string): Promise<Command> {
  const program = new Command('loyalty-sim')
    .description('A local simulator of a retail customer data and loyalty service (API v3)')
    .version(packageVersion())
    .exitOverride()
    .configureOutput({ writeOut: (text) => printResult(text.trimEnd()), writeErr: (text) => printNote(text.trimEnd()) })
    .addHelpText('after', () => [exitCodes, documentationPlace()].join('\n').trimEnd());
  const isKnown = Object.values(groups).some((commands) => typed !== undefined && Object.hasOwn(commands, typed));
  for (const [heading, commands] of Object.entries(groups)) {
    program.commandsGroup(heading);
    for (const [name, load] of Object.entries(commands)) {
      if (!isKnown || name === typed) (await load())(program, done);
    }
  }
  return program;
}
