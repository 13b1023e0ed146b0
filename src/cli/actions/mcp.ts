/** Implements `loyalty-sim mcp`: serves an agent over standard input and output, until that ends. */
import { PassThrough } from 'node:stream';
import { simFromEnvironment } from '../../config/config.ts';
import { serveAgent } from '../mcp/server.ts';
import { Simulators } from '../mcp/simulators.ts';
import { stopSignal } from '../process/signals.ts';
import { printNote } from '../process/terminal.ts';

export interface McpFlags {
  readonly url?: string | undefined;
  readonly adminKey?: string | undefined;
  /** Is false for `--no-exec`. */
  readonly exec: boolean;
}

export async function mcp({ url, adminKey, exec }: McpFlags): Promise<number> {
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
