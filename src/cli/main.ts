import { Command, CommanderError, Option } from 'commander';
import { isDebugging } from '../config.ts';
import type { Flags } from '../config.ts';
import { InputError, InUseError } from '../core/errors.ts';
import { flagOf, optionList } from '../options.ts';
import type { OptionName } from '../options.ts';
import { version } from '../package.ts';
import type { ConformanceFlags } from './conformance-flags.ts';
import { declareMaster } from './master-verb.ts';
import { flushLog, printed, printNote, printResult, styled } from './print.ts';
import { declareSimVerbs } from './sim-verbs.ts';

/** What a verb ends with (design.md §5). */
const exitCodes = { badInput: 2, noSim: 4, ownFault: 70 } as const;

let exitCode = 0;

const program = new Command('loyalty-sim')
  .description('A local simulator of a retail customer data and loyalty service (API v3)')
  .version(version())
  .exitOverride()
  .configureHelp({ optionDescription: describe })
  .configureOutput({ writeOut: (text) => printResult(text.trimEnd()), writeErr: (text) => printNote(text.trimEnd()) })
  .addHelpText(
    'after',
    '\nExit codes: 0 done, 1 not as expected or time is up, 2 bad input, 3 what happened does not tell, 4 cannot start or no simulator answers, 70 a fault of loyalty-sim itself',
  );

function withSimOptions(verb: Command, without: readonly OptionName[] = []): Command {
  for (const [name, { argument, description, isRepeatable }] of optionList.filter(
    ([known]) => !without.includes(known),
  )) {
    const flag = new Option(argument === undefined ? flagOf(name) : `${flagOf(name)} ${argument}`, description);
    verb.addOption(isRepeatable ? flag.argParser(collect) : flag);
  }
  return verb.option('--config <file>', 'config file (loyalty-sim.config.json unless given)');
}

/** Options of a simulator that stands beside a command, and that nobody else looks for. */
const withOptionsBeside = (verb: Command): Command =>
  withSimOptions(verb, ['port', 'watch', 'readyFile']).option(
    '--port <port>',
    'port of the simulator; any free one unless given',
  );

withSimOptions(program.command('start'))
  .description('serve the API')
  .action(async (flags: Flags) => {
    const { start } = await import('./start.ts');
    exitCode = await start(flags);
  });

withOptionsBeside(program.command('exec'))
  .description('run a command with a simulator beside it, and judge how it retried')
  .argument('<command...>', 'what to run, after --; it finds the simulator in LOYALTY_SIM_URL')
  .option('--scenarios <paths...>', 'run the command once for each of these scenarios; stars are allowed')
  .option('--report <form=file>', 'write a report: junit, json, md or html; several with commas between', collect)
  .action(async (command: string[], flags: Flags) => {
    const { exec } = await import('./exec.ts');
    exitCode = await exec(command, flags);
  });

withOptionsBeside(program.command('conformance'))
  .description('run a client once for each way in which each kind of call can go wrong, and tell what it makes of that')
  .argument('[command...]', 'what to run, after --; it finds the simulator in LOYALTY_SIM_URL, and ends by itself')
  .option('--client <name=command>', 'a client by its name, with the line that a shell runs (repeatable)', collect)
  .option('--case <id>', 'only these cases: keyed/504-after, keyed/* (repeatable)', collect)
  .option('--baseline <file>', 'failures that are known; an entry that no longer fails is one')
  .option('--update-baseline', 'write the failures of this run to the baseline')
  .option('--limit <duration>', 'how long each run may take (default: 60s)')
  .option('--show-output', 'show what the client prints in every run, not in the first alone')
  .option('--report <form=file>', 'write a report: junit, json, md or html; several with commas between', collect)
  .action(async (command: string[], flags: ConformanceFlags) => {
    const { conformance } = await import('./conformance.ts');
    exitCode = await conformance(command, flags);
  });

declareMaster(program, (code) => {
  exitCode = code;
});

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
    const { generate } = await import('./generate.ts');
    exitCode = await generate(flags, process);
    if (flags.json && flags.out !== undefined) printResult(JSON.stringify({ event: 'generated', out: flags.out }));
  });

program
  .command('validate')
  .description('check scenario, fixture and config files')
  .argument('<files...>', 'files, or folders of fixture files')
  .option('--json', 'print what was found as JSON')
  .action(async (files: string[], flags: Flags) => {
    const { validate } = await import('./validate.ts');
    exitCode = await validate(files, flags);
  });

declareSimVerbs(program, (code) => {
  exitCode = code;
});

function collect(text: string, before: readonly string[] | undefined): string[] {
  return [...(before ?? []), text];
}

/** Says the default too, which is only worked out when somebody asks for help. */
function describe({ description, long }: Option): string {
  const schema = optionList.find(([name, known]) => flagOf(name) === long && known.description === description)?.[1]
    .schema;
  const standard = schema?.safeParse(undefined).data;
  const isTold = typeof standard === 'number' || typeof standard === 'string';
  return isTold ? `${description} (default: ${standard})` : description;
}

function codeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.badInput;
  if (error instanceof InUseError) return exitCodes.noSim;
  if (error instanceof InputError) return exitCodes.badInput;
  // By name: the classes are part of what is only loaded to listen, or to call.
  if (error instanceof Error && ['ListenError', 'NoSimError'].includes(error.name)) return exitCodes.noSim;
  return exitCodes.ownFault;
}

function report(error: unknown, code: number): void {
  const message = error instanceof Error ? error.message : String(error);
  if (process.argv.includes('--json')) printResult(JSON.stringify({ event: 'error', exitCode: code, message }));
  // Commander has said it already.
  if (!(error instanceof CommanderError)) printNote(`${styled('red', 'error:')} ${message}`);
  if (code !== exitCodes.ownFault) return;
  if (isDebugging() && error instanceof Error) printNote(error.stack ?? '');
  else printNote('This is a fault of loyalty-sim itself; set LOYALTY_SIM_DEBUG=1 to see where it happened.');
}

function fail(error: unknown): never {
  flushLog();
  const code = codeOf(error);
  if (code !== 0) report(error, code);
  process.exit(code);
}

process.on('uncaughtException', fail);

// Not awaited: the command is built as CommonJS.
program.parseAsync().then(async () => {
  flushLog();
  await printed();
  process.exit(exitCode);
}, fail);
