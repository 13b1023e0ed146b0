/** Declares the command line. Only the command that was typed is loaded, and the list of commands loads none. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { packageFolder, packageVersion } from '../package/package-info.ts';
import type { DeclareCommand } from './flags/shared-flags.ts';
import { printNote, printResult } from './process/terminal.ts';

/** Describes a command as the list of commands shows it. */
interface ListedCommand {
  /** Names its arguments; `<…>` must be there, `[…]` may be. */
  readonly args?: string;
  /** True for a command that only holds others, and has no flags of its own. */
  readonly isGroup?: boolean;
  readonly description: string;
  /** Loads its file, which has its flags and does its work. */
  readonly load: () => Promise<DeclareCommand>;
}

/** Lists the commands by the heading that the help prints them under. */
const groups: Readonly<Record<string, Readonly<Record<string, ListedCommand>>>> = {
  'Serve:': {
    start: {
      description: 'serve the API',
      load: async () => (await import('./commands/start.ts')).declareStart,
    },
    'point-master': {
      description: 'serve a fake point master: takes the webhook of point-follower mode, and sends balances back',
      load: async () => (await import('./commands/point-master.ts')).declarePointMaster,
    },
  },
  'Test a client:': {
    exec: {
      args: '<command...>',
      description: 'run a command with its own simulator, and judge how it retried',
      load: async () => (await import('./commands/exec.ts')).declareExec,
    },
    explore: {
      args: '<command...>',
      description: 'find by itself where a client breaks: run it again and again, each time with other faults',
      load: async () => (await import('./commands/explore.ts')).declareExplore,
    },
    shrink: {
      args: '<scenario> <command...>',
      description: 'shrink the rules of a scenario to what a failing client needs to fail',
      load: async () => (await import('./commands/shrink.ts')).declareShrink,
    },
    certify: {
      args: '<command...>',
      description:
        'test a client with every fault and kill, and write a document of what it did and what was not tested',
      load: async () => (await import('./commands/certify.ts')).declareCertify,
    },
    conformance: {
      args: '[command...]',
      description:
        'run a client once for each way in which a request to each endpoint can fail, and judge each run; or try a point master',
      load: async () => (await import('./commands/conformance.ts')).declareConformance,
    },
    run: {
      args: '<scenarios...>',
      description: 'run scripted scenarios: 0 PASS, 1 FAIL, 3 INCONCLUSIVE',
      load: async () => (await import('./commands/run.ts')).declareRun,
    },
  },
  'Drive a running simulator:': {
    requests: {
      description: 'show the requests that a running simulator received, the newest last',
      load: async () => (await import('./commands/requests.ts')).declareRequests,
    },
    wait: {
      description: 'wait until a running simulator received enough requests: 0 it did, 1 time is up',
      load: async () => (await import('./commands/wait.ts')).declareWait,
    },
    verify: {
      description: 'judge a running simulator by the expectations of its scenario: 0 PASS, 1 FAIL, 3 INCONCLUSIVE',
      load: async () => (await import('./commands/verify.ts')).declareVerify,
    },
    clock: {
      description: 'show or change the clock of a running simulator',
      load: async () => (await import('./commands/clock.ts')).declareClock,
    },
    reset: {
      description: 'reset a tenant of a running simulator to its start',
      load: async () => (await import('./commands/reset.ts')).declareReset,
    },
    snapshot: {
      isGroup: true,
      description: 'store the state of a running simulator under a name',
      load: async () => (await import('./commands/snapshot.ts')).declareSnapshot,
    },
    trigger: {
      args: '<event>',
      description: 'cause an event inside the service of a running simulator',
      load: async () => (await import('./commands/trigger.ts')).declareTrigger,
    },
  },
  'For coding agents:': {
    mcp: {
      description: 'serve a coding agent by the Model Context Protocol, over standard input and output',
      load: async () => (await import('./commands/mcp.ts')).declareMcp,
    },
  },
  'Files:': {
    generate: {
      description: 'write a fixture of any size',
      load: async () => (await import('./commands/generate.ts')).declareGenerate,
    },
    validate: {
      args: '<files...>',
      description: 'check scenario, fixture and config files',
      load: async () => (await import('./commands/validate.ts')).declareValidate,
    },
    repair: {
      description: 'take what is whole of a damaged saved state, and show what is lost',
      load: async () => (await import('./commands/repair.ts')).declareRepair,
    },
    openapi: {
      description: 'print the OpenAPI document: of this version, or with --url of a running simulator',
      load: async () => (await import('./commands/openapi.ts')).declareOpenapi,
    },
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

const newProgram = (): Command =>
  new Command('loyalty-sim')
    .description('A local simulator of a retail customer data and loyalty service (API v3)')
    .version(packageVersion())
    .exitOverride()
    .configureOutput({ writeOut: (text) => printResult(text.trimEnd()), writeErr: (text) => printNote(text.trimEnd()) })
    .addHelpText('after', () => [exitCodes, documentationPlace()].join('\n').trimEnd());

const addCommand = (program: Command, name: string, { args = '', description }: ListedCommand): Command =>
  program.command(`${name} ${args}`).description(description);

/** Returns the command line with the command of this name, or with all of them where there is none of this name. */
export async function createProgram(done: (exitCode: number) => void, typed?: string): Promise<Command> {
  const program = newProgram();
  const isKnown = Object.values(groups).some((commands) => typed !== undefined && Object.hasOwn(commands, typed));
  for (const [heading, commands] of Object.entries(groups)) {
    program.commandsGroup(heading);
    for (const [name, listed] of Object.entries(commands)) {
      if (isKnown && name !== typed) continue;
      const declare = await listed.load();
      declare(addCommand(program, name, listed), done);
    }
  }
  return program;
}

/** Lists the arguments that no command needs to be loaded for. */
const aboutAll = ['--help', '-h', '--version', '-V'];

/** True when only the list of commands or the version is asked for. */
export const isAboutAll = ([first, ...others]: readonly string[]): boolean =>
  others.length === 0 && (first === undefined || aboutAll.includes(first));

/** Returns the command line with the list of commands alone: loading all of them takes three times as long. */
export function createCommandList(): Command {
  const program = newProgram();
  // Their flags are not loaded: their usage says that there are some.
  program.configureHelp({ subcommandTerm: (command) => `${command.name()} ${command.usage()}`.trimEnd() });
  for (const [heading, commands] of Object.entries(groups)) {
    program.commandsGroup(heading);
    for (const [name, listed] of Object.entries(commands)) {
      const command = addCommand(program, name, listed);
      if (listed.isGroup) command.helpOption(false);
    }
  }
  return program;
}
