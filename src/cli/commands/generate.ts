/** Implements `loyalty-sim generate`: writes a fixture of any size. */
import { createWriteStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { printResult } from '../process/terminal.ts';
import { flagWithDefault, jsonFlag, withExamples } from '../flags/shared-flags.ts';
import type { DeclareCommand } from '../flags/shared-flags.ts';
import { flagName } from '../../config/options.ts';
import { InputError } from '../../core/lib/input-error.ts';
import { didYouMean } from '../../core/lib/suggest.ts';
import { packageFolder } from '../../package/package-info.ts';
import {
  copiedSections,
  countGeneratedRows,
  generatedAmounts,
  generateFixture,
} from '../../storage/generate/generate-fixture.ts';
import type { FixtureChunk, GenerateOptions } from '../../storage/generate/generate-fixture.ts';
import { locales } from '../../storage/generate/countries.ts';
import { retailerSetupSchema } from '../../service/resource/generator-context.ts';

/** Holds the options as they were typed; each has a default. */
interface GenerateFlags {
  /** Sets an amount, by its name: `contacts`. */
  readonly [amount: string]: string | undefined;
  readonly seed?: string | undefined;
  readonly locale?: string | undefined;
  readonly now?: string | undefined;
  /** Lists contact types, with commas between them. */
  readonly types?: string | undefined;
  /** Names a file (default: standard output). */
  readonly out?: string | undefined;
}

export const declareGenerate: DeclareCommand = (command, done) => {
  for (const [name, { description, default: standard }] of Object.entries(generatedAmounts))
    command.addOption(flagWithDefault(`${flagName(name)} <n>`, description, String(standard)));
  command
    .addOption(flagWithDefault('--seed <n>', 'seed of the data: the same seed gives the same file', '1'))
    .addOption(flagWithDefault('--locale <name>', 'country that contacts live in, or mixed', 'mixed'))
    .option('--now <timestamp>', 'moment that dates lie before (default: relative dates)')
    .option('--types <names>', 'contact types, with commas between them (default: Member,Contact)')
    .option('--out <file>', 'file to write to (default: standard output)')
    .addOption(jsonFlag('print a line of JSON when the file is written'))
    .action(async (flags: GenerateFlags) => {
      done(await generate(flags, process));
      const { json } = command.opts<{ readonly json?: boolean }>();
      if (json && flags.out !== undefined) printResult(JSON.stringify({ event: 'generated', out: flags.out }));
    });
  withExamples(
    command,
    'loyalty-sim generate --contacts 10000 --out shop.json',
    'loyalty-sim generate --seed 7 --locale fi --now 2026-03-01T12:00:00Z',
  );
};

/** Receives output; the process itself, except in tests. */
interface Output {
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean | undefined };
}

/** Writes the fixture and returns the exit code. Throws `InputError` if it can't be generated or written. */
export async function generate(flags: GenerateFlags, out: Output): Promise<number> {
  const options = optionsFrom(flags);
  const chunks = await withFirstChunkReady(generateFixture(options));
  const texts = Readable.from(
    out.stderr.isTTY ? reported(chunks, await countGeneratedRows(options), out) : textsOf(chunks),
  );
  if (flags.out === undefined) return writeTo(out.stdout, texts);
  try {
    await pipeline(texts, createWriteStream(flags.out));
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new InputError(`--out: ${flags.out} can't be written (${error.code}); name a file in a folder that exists`);
  }
  return 0;
}

function optionsFrom(flags: GenerateFlags): GenerateOptions {
  const fixture = JSON.parse(readFileSync(join(packageFolder, 'fixtures/default.json'), 'utf8'));
  const amounts = Object.entries(generatedAmounts).map(
    ([name, { default: standard, most }]) =>
      [name, wholeNumber(flagName(name), flags[name], { standard, most })] as const,
  );
  return {
    amounts: Object.fromEntries(amounts),
    seed: wholeNumber('--seed', flags.seed, { standard: 1, most: 2 ** 32 - 1 }),
    locale: localeFrom(flags.locale ?? 'mixed'),
    now: flags.now,
    types: flags.types
      ?.split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
    setup: retailerSetupSchema.parse(fixture),
    copied: copiedSections(fixture),
  };
}

function wholeNumber(
  option: string,
  sent: string | undefined,
  { standard, most }: { standard: number; most: number },
): number {
  if (sent === undefined) return standard;
  const number = /^\d+$/.test(sent) ? Number(sent) : Number.NaN;
  if (number <= most) return number;
  throw new InputError(`${option}: must be a whole number from 0 to ${most}, not "${sent}"`);
}

function localeFrom(sent: string): GenerateOptions['locale'] {
  const locale = locales.find((known) => known === sent.toLowerCase());
  if (locale) return locale;
  throw new InputError(`--locale: must be one of ${locales.join(', ')}, not "${sent}"${didYouMean(sent, locales)}`);
}

/** Returns the same chunks with the first one made, so that bad options fail before a file is overwritten. */
async function withFirstChunkReady(chunks: AsyncGenerator<FixtureChunk>): Promise<AsyncGenerator<FixtureChunk>> {
  const first = await chunks.next();
  return (async function* () {
    if (!first.done) yield first.value;
    yield* chunks;
  })();
}

async function* textsOf(chunks: AsyncIterable<FixtureChunk>): AsyncGenerator<string> {
  for await (const { text } of chunks) yield text;
}

/** Yields the texts, and prints progress for a person. */
async function* reported(
  chunks: AsyncIterable<FixtureChunk>,
  total: number,
  { stderr }: Output,
): AsyncGenerator<string> {
  let [done, printed] = [0, -1];
  for await (const { text, rows } of chunks) {
    yield text;
    done += rows;
    const percent = total === 0 ? 100 : Math.floor((done / total) * 100);
    if (percent === printed) continue;
    stderr.write(`\rgenerating: ${percent} %, ${done} of ${total} rows`);
    printed = percent;
  }
  stderr.write('\n');
}

/** Writes the texts; a reader that leaves early, such as `head`, is no failure. */
async function writeTo(stdout: NodeJS.WritableStream, texts: Readable): Promise<number> {
  try {
    await pipeline(texts, stdout, { end: false });
  } catch (error) {
    // What else keeps output from being written, the program finds at its end.
    if (!isSystemError(error)) throw error;
  }
  return 0;
}

const isSystemError = (error: unknown): error is Error & { readonly code: string } =>
  error instanceof Error && 'syscall' in error && 'code' in error;
