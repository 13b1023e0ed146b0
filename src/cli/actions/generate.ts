/** `loyalty-sim generate`: writes a fixture of any size. */
import { createWriteStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { InputError } from '../../core/lib/input-error.ts';
import { didYouMean } from '../../core/lib/suggest.ts';
import { packageFolder } from '../../storage/files/package-info.ts';
import { generateFixture, fixtureRowCount } from '../../storage/generate/generate-fixture.ts';
import type { FixtureChunk, GenerateOptions } from '../../storage/generate/generate-fixture.ts';
import { locales, retailerSetupSchema } from '../../storage/generate/context.ts';

/** The options as they were typed; each has a default. */
export interface GenerateFlags {
  readonly contacts?: string | undefined;
  readonly receiptsPerContact?: string | undefined;
  readonly promotions?: string | undefined;
  readonly seed?: string | undefined;
  readonly locale?: string | undefined;
  readonly now?: string | undefined;
  /** Names of contact types, with commas between them. */
  readonly types?: string | undefined;
  /** A file; standard output unless given. */
  readonly out?: string | undefined;
}

/** Where output goes: the process, mostly. */
interface Output {
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean | undefined };
}

const maxContacts = 5_000_000;
const maxReceiptsPerContact = 1000;
const maxPromotions = 10_000;

/** Writes the fixture and answers the exit code. Throws `InputError` for what can't be generated or written. */
export async function generate(flags: GenerateFlags, out: Output): Promise<number> {
  const options = optionsFrom(flags);
  const chunks = await withFirstChunkReady(generateFixture(options));
  const texts = Readable.from(out.stderr.isTTY ? reported(chunks, fixtureRowCount(options), out) : textsOf(chunks));
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
  const setupFile = join(packageFolder, 'fixtures/default.json');
  return {
    contacts: wholeNumber('--contacts', flags.contacts, { usual: 100, most: maxContacts }),
    receiptsPerContact: wholeNumber('--receipts-per-contact', flags.receiptsPerContact, {
      usual: 2,
      most: maxReceiptsPerContact,
    }),
    promotions: wholeNumber('--promotions', flags.promotions, { usual: 6, most: maxPromotions }),
    seed: wholeNumber('--seed', flags.seed, { usual: 1, most: 2 ** 32 - 1 }),
    locale: localeFrom(flags.locale ?? 'mixed'),
    now: flags.now,
    types: flags.types
      ?.split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
    setup: retailerSetupSchema.parse(JSON.parse(readFileSync(setupFile, 'utf8'))),
  };
}

function wholeNumber(
  option: string,
  sent: string | undefined,
  { usual, most }: { usual: number; most: number },
): number {
  if (sent === undefined) return usual;
  const number = /^\d+$/.test(sent) ? Number(sent) : Number.NaN;
  if (number <= most) return number;
  throw new InputError(`${option}: "${sent}" is not a whole number from 0 to ${most}`);
}

function localeFrom(sent: string): GenerateOptions['locale'] {
  const locale = locales.find((known) => known === sent.toLowerCase());
  if (locale) return locale;
  throw new InputError(`--locale: "${sent}" is not one of ${locales.join(', ')}${didYouMean(sent, locales)}`);
}

/** The same pieces, the first of which is made: what can't be generated is told before it has cost anybody a file. */
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

/** Tells a person how far it is. */
async function* reported(
  chunks: AsyncIterable<FixtureChunk>,
  total: number,
  { stderr }: Output,
): AsyncGenerator<string> {
  let [done, told] = [0, -1];
  for await (const { text, rows } of chunks) {
    yield text;
    done += rows;
    const percent = total === 0 ? 100 : Math.floor((done / total) * 100);
    if (percent === told) continue;
    stderr.write(`\rgenerating: ${percent} %, ${done} of ${total} rows`);
    told = percent;
  }
  stderr.write('\n');
}

/** A reader that has seen enough, as `head`, is no failure. */
async function writeTo(stdout: NodeJS.WritableStream, texts: Readable): Promise<number> {
  try {
    await pipeline(texts, stdout, { end: false });
  } catch (error) {
    if (!isSystemError(error) || error.code !== 'EPIPE') throw error;
  }
  return 0;
}

const isSystemError = (error: unknown): error is Error & { readonly code: string } =>
  error instanceof Error && 'syscall' in error && 'code' in error;
