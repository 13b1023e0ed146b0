import { isDebugging } from '../config/config.ts';
import { InputError, InUseError } from '../core/lib/input-error.ts';
import { flushLog, stdoutFlushed, printNote, printResult, requireOutput, styled } from './process/terminal.ts';
import { readPlainFlags } from './flags/plain-flags.ts';
import { rejectRenamedWords } from './flags/renamed-words.ts';

/** Lists the exit codes of a command that failed; 70 is EX_SOFTWARE of sysexits. */
const exitCodes = { badInput: 2, noSim: 4, internalError: 70 } as const;

let exitCode = 0;

/** True for an error of commander, which isn't loaded where nothing needs it. */
const isCommanderError = (error: unknown): error is Error & { readonly exitCode: number } =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('commander.');

function codeOf(error: unknown): number {
  if (isCommanderError(error)) return error.exitCode === 0 ? 0 : exitCodes.badInput;
  if (error instanceof InUseError) return exitCodes.noSim;
  if (error instanceof InputError) return exitCodes.badInput;
  // By name: the modules of these classes are only loaded when needed.
  if (error instanceof Error && ['ListenError', 'NoSimError'].includes(error.name)) return exitCodes.noSim;
  return exitCodes.internalError;
}

function report(error: unknown, code: number): void {
  const message = error instanceof Error ? error.message : String(error);
  if (process.argv.includes('--json')) printResult(JSON.stringify({ event: 'error', exitCode: code, message }));
  // Commander has printed its message already.
  if (!isCommanderError(error)) printNote(`${styled('red', 'error:')} ${message}`);
  if (code !== exitCodes.internalError) return;
  if (isDebugging() && error instanceof Error) printNote(error.stack ?? '');
  else printNote('This is an internal error of loyalty-sim; set LOYALTY_SIM_DEBUG=1 to see its stack trace.');
}

function fail(error: unknown): never {
  flushLog();
  const code = codeOf(error);
  if (code !== 0) report(error, code);
  process.exit(code);
}

process.on('uncaughtException', fail);

const end = (code: number): void => {
  exitCode = code;
};

async function run(args: readonly string[]): Promise<void> {
  const [command, ...others] = args;
  const flags = command === 'start' ? readPlainFlags(others) : undefined;
  if (flags) {
    const { serve } = await import('./process/serve.ts');
    end(await serve(flags));
    return;
  }
  const { createCommandList, createProgram, isAboutAll } = await import('./program.ts');
  const program = isAboutAll(args) ? createCommandList() : await createProgram(end, command);
  await program.parseAsync();
}

async function main(): Promise<void> {
  const args = process.argv.slice(2);
  rejectRenamedWords(args);
  await run(args);
  flushLog();
  await stdoutFlushed();
  // A verdict is told by the code as well.
  if (exitCode === 0) requireOutput();
  process.exit(exitCode);
}

// Not awaited: the command is built as CommonJS.
main().catch(fail);
