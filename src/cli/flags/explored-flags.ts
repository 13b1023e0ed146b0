/** Declares and reads the flags of commands that run a client again and again. */
import { Option } from 'commander';
import type * as z from 'zod';
import { InputError } from '../../core/lib/input-error.ts';
import { parseCount } from './count-flag.ts';
import { flagWithDefault } from './shared-flags.ts';
import { readTextFile } from '../../platform/read-file.ts';

/** Describes the command that is run. */
export const exploredCommandHelp =
  'command to run, after --; {run} in it is the number of the run, {folder} an empty folder, {port} a free port';

export const levelFlag = (standard: string): Option =>
  flagWithDefault(
    '--level <1-5>',
    'highest level of faults: 1 single faults, 2 lasting ones, 3 outages, 4 second faults after a first, 5 webhooks late or twice',
    standard,
  );

/** Returns the level. Throws `InputError` for what is none. */
export function parseLevel(text: string): number {
  const level = parseCount('--level', text);
  if (level > 5) throw new InputError(`--level: must be 1, 2, 3, 4 or 5, not "${text}"`);
  return level;
}

export const jobsFlag = (): Option => flagWithDefault('--jobs <n>', 'number of runs side by side', '8');

export const mostJobsFlag = (standard: string): Option =>
  flagWithDefault('--jobs <n>', 'most runs side by side; fewer where the machine does not keep up', standard);

export const runTimeoutFlag = (): Option => flagWithDefault('--timeout <duration>', 'longest time for each run', '60s');

export const portPerRunFlag = (): Option =>
  new Option('--port-per-run', 'give each run a port of its own, for a client that takes no path in its base URL');

export const showOutputFlag = (): Option =>
  new Option('--show-output', 'show what the client prints in every run, not in the first alone');

/** Reads what an earlier run has written. Throws `InputError` for a file that is something else. */
export function readEarlierRun<Form>(
  { flag, file, name }: { readonly flag: string; readonly file: string; readonly name: string },
  schema: z.ZodType<Form>,
): Form {
  let json: unknown;
  try {
    json = JSON.parse(readTextFile(file));
  } catch (error) {
    throw new InputError(
      `${flag}: ${file} can't be read as JSON: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  throw new InputError(`${flag}: ${file} is not the ${name}`);
}
