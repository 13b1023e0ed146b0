/** Implements `loyalty-sim mcp`: serves an agent over standard input and output, until that ends. */
import { PassThrough } from 'node:stream';
import { adminKeyFlag, withExamples } from '../flags/shared-flags.ts';
import type { DeclareCommand } from '../flags/shared-flags.ts';
import { simFromEnvironment } from '../../config/config.ts';
import { Simulators } from '../mcp/simulators.ts';
import { stopSignal } from '../process/signals.ts';
import { printNote } from '../process/terminal.ts';

interface McpFlags {
  readonly url?: string | undefined;
  readonly adminKey?: string | undefined;
  /** Is false for `--no-exec`. */
  readonly exec: boolean;
}

export const declareMcp: DeclareCommand = (command, done) => {
  command
    .option('--url <url>', 'address of a running simulator that the tools talk to (default: LOYALTY_SIM_URL, or none)')
    .addOption(adminKeyFlag())
    .option('--no-exec', 'leave out the tools that run commands')
    .action(async (flags: McpFlags) => {
      done(await mcp(flags));
    });
  withExamples(command, 'loyalty-sim mcp', 'loyalty-sim mcp --no-exec --url http://127.0.0.1:4010');
};

async function mcp({ url, adminKey, exec }: McpFlags): Promise<number> {
  // The help does not wait for the SDK of the protocol.
  const { serveAgent } = await import('../mcp/server.ts');
  const simulators = new Simulators();
  if (url !== undefined || simFromEnvironment().url !== undefined) simulators.attach({ url, adminKey });
  const ending = new AbortController();
  const input = new PassThrough();
  const connection = serveAgent({
    simulators,
    withPrograms: exec,
    input,
    output: process.stdout,
    ending: ending.signal,
  });
  const stopped = stopSignal({ withStdin: true });
  process.stdin.pipe(input, { end: false });
  if (process.stdin.isTTY) printNote('This serves an agent over standard input and output; Ctrl+D ends it.');
  await stopped;
  ending.abort();
  // What was asked before the end still gets a response, but for what would take long.
  await connection.idle();
  await connection.close();
  await simulators.close();
  return 0;
}
