/** Declares the command: every verb, its arguments and its options. */
import { Command, Option } from 'commander';
import type { Flags } from '../config/config.ts';
import { flagName, optionEntries } from '../config/options.ts';
import type { OptionName } from '../config/options.ts';
import { packageVersion } from '../storage/files/package-info.ts';
import type { ConformanceFlags } from './flags/conformance-flags.ts';
import { declarePointMaster } from './point-master-command.ts';
import { printNote, printResult } from './process/terminal.ts';
import { declareRemoteCommands } from './remote-commands.ts';

type OnExit = (exitCode: number) => void;

/** The command with all its verbs; each tells `done` what it ends with. */
export function createProgram(done: OnExit): Command {
  const program = new Command('loyalty-sim')
    .description('A local simulator of a retail customer data and loyalty service (API v3)')
    .version(packageVersion())
    .exitOverride()
    .configureHelp({ optionDescription: describe })
    .configureOutput({ writeOut: (text) => printResult(text.trimEnd()), writeErr: (text) => printNote(text.trimEnd()) })
    .addHelpText(
      'after',
      '\nExit codes: 0 done, 1 not as expected or time is up, 2 bad input, 3 inconclusive, 4 cannot start or no simulator answers, 70 internal error',
    );
  withSimOptions(program.command('start'))
    .description('serve the API')
    .action(async (flags: Flags) => {
      const { startCommand: start } = await import('./commands/start.ts');
      done(await start(flags));
    });
  declareRunnerCommands(program, done);
  declarePointMaster(program, done);
  declareFiles(program, done);
  declareRemoteCommands(program, done);
  return program;
}

function withSimOptions(verb: Command, without: readonly OptionName[] = []): Command {
  for (const [name, option] of optionEntries.filter(([known]) => !without.includes(known))) {
    const { argument, description, isRepeatable } = option;
    const long = flagName(name, option);
    const flag = new Option(argument === undefined ? long : `${long} ${argument}`, description);
    verb.addOption(isRepeatable ? flag.argParser(collect) : flag);
  }
  return verb.option('--config <file>', 'config file (loyalty-sim.config.json unless given)');
}

/** Options of a simulator that stands beside a command, and that nobody else looks for. */
const withEmbeddedSimOptions = (verb: Command): Command =>
  withSimOptions(verb, ['port', 'watch', 'readyFile']).option(
    '--port <port>',
    'port of the simulator; any free one unless given',
  );

/** Verbs that run a command with a simulator beside it. */
function declareRunnerCommands(program: Command, done: OnExit): void {
  withEmbeddedSimOptions(program.command('exec'))
    .description('run a command with a simulator beside it, and judge how it retried')
    .argument('<command...>', 'what to run, after --; it finds the simulator in LOYALTY_SIM_URL')
    .option(
      '--matrix <files...>',
      'run the command once for each of these scenarios, and print a matrix; stars are allowed',
    )
    .option('--report <form=file>', 'write a report: junit, json, md or html; several with commas between', collect)
    .action(async (command: string[], flags: Flags) => {
      const { execCommand: exec } = await import('./commands/exec.ts');
      done(await exec(command, flags));
    });

  withEmbeddedSimOptions(program.command('conformance'))
    .description(
      'run a client once for each way in which each kind of call can go wrong, and tell what it makes of that',
    )
    .argument('[command...]', 'what to run, after --; it finds the simulator in LOYALTY_SIM_URL, and ends by itself')
    .option('--client <name=command>', 'a client by its name, with the line that a shell runs (repeatable)', collect)
    .option('--case <id>', 'only these cases: keyed/504-after, keyed/* (repeatable)', collect)
    .option('--baseline <file>', 'failures that are known; an entry that no longer fails is one')
    .option('--update-baseline', 'write the failures of this run to the baseline')
    .option('--timeout <duration>', 'how long each run may take (default: 60s)')
    .option('--show-output', 'show what the client prints in every run, not in the first alone')
    .option('--report <form=file>', 'write a report: junit, json, md or html; several with commas between', collect)
    .action(async (command: string[], flags: ConformanceFlags) => {
      const { conformanceCommand: conformance } = await import('./commands/conformance.ts');
      done(await conformance(command, flags));
    });
}

/** Verbs that make and check files. */
function declareFiles(program: Command, done: OnExit): void {
  program
    .command('generate')
    .description('write a fixture of any size')
    .option('--contacts <n>', 'how many contacts', '100')
    .option('--receipts-per-contact <n>', 'how many receipts each of them has', '2')
    .option('--promotions <n>', 'how many promotions', '6')
    .option('--seed <n>', 'what the data follows from: the same seed gives the same file', '1')
    .option('--locale <name>', 'where contacts live: mixed, or one country', 'mixed')
    .option('--now <timestamp>', 'moment that dates lie before; relative dates unless given')
    .option('--types <names>', 'contact types, with commas between them')
    .option('--out <file>', 'file to write to; standard output unless given')
    .option('--json', 'say what was written as JSON')
    .action(async (flags: Flags & { readonly out?: string; readonly json?: boolean }) => {
      const { generateCommand: generate } = await import('./commands/generate.ts');
      done(await generate(flags, process));
      if (flags.json && flags.out !== undefined) printResult(JSON.stringify({ event: 'generated', out: flags.out }));
    });

  program
    .command('validate')
    .description('check scenario, fixture and config files')
    .argument('<files...>', 'files, or folders of fixture files')
    .option('--json', 'print what was found as JSON')
    .action(async (files: string[], flags: Flags) => {
      const { validateCommand: validate } = await import('./commands/validate.ts');
      done(await validate(files, flags));
    });
}

function collect(text: string, before: readonly string[] | undefined): string[] {
  return [...(before ?? []), text];
}

/** Says the default too, which is only worked out when somebody asks for help. */
function describe({ description, long, defaultValue }: Option): string {
  if (defaultValue !== undefined) return `${description} (default: ${defaultValue})`;
  const schema = optionEntries.find(
    ([name, known]) => flagName(name, known) === long && known.description === description,
  )?.[1].schema;
  const standard = schema?.safeParse(undefined).data;
  const isTold = typeof standard === 'number' || typeof standard === 'string';
  return isTold ? `${description} (default: ${standard})` : description;
}
