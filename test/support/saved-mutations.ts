/** Spoils copies of a saved state in ways that are drawn from a seed, and judges what opening each of them says. */
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { InputError } from '../../src/core/lib/input-error.ts';
import { seededRandom } from '../../src/core/lib/random.ts';
import { receiptOf } from './receipt.ts';
import { closeSavedSim, leftBehind, newFile, openSavedSim } from './saved.ts';
import { persistedLines } from '../../src/storage/persistence/persisted-state.ts';
import { StateFiles } from '../../src/storage/persistence/state-files.ts';

type Draw = (below: number) => number;
type Spoil = (bytes: Buffer, draw: Draw) => Buffer;

const [lineFeed, zero, nine] = [0x0a, 0x30, 0x39];

/** Returns the lines of a file, each with its line feed. */
function linesOf(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let from = 0; from < bytes.length;) {
    const end = bytes.indexOf(lineFeed, from);
    const to = end < 0 ? bytes.length : end + 1;
    lines.push(bytes.subarray(from, to));
    from = to;
  }
  return lines;
}

function withByte(bytes: Buffer, at: number, value: number): Buffer {
  const changed = Buffer.from(bytes);
  changed[at] = value;
  return changed;
}

function otherDigit(bytes: Buffer, draw: Draw): Buffer {
  const places = [...bytes.keys()].filter((i) => (bytes[i] as number) >= zero && (bytes[i] as number) <= nine);
  const at = places[draw(places.length)] as number;
  return withByte(bytes, at, zero + (((bytes[at] as number) - zero + 1 + draw(9)) % 10));
}

function withoutLine(bytes: Buffer, draw: Draw): Buffer {
  const lines = linesOf(bytes);
  lines.splice(draw(lines.length), 1);
  return Buffer.concat(lines);
}

function swappedLines(bytes: Buffer, draw: Draw): Buffer {
  const lines = linesOf(bytes);
  const [one, other] = [draw(lines.length), draw(lines.length)];
  [lines[one], lines[other]] = [lines[other] as Buffer, lines[one] as Buffer];
  return Buffer.concat(lines);
}

function zeroedBlock(bytes: Buffer, draw: Draw): Buffer {
  const at = draw(bytes.length);
  return Buffer.from(bytes).fill(0, at, Math.min(bytes.length, at + 1 + draw(4096)));
}

/** Lists the ways to spoil a file. */
const spoils: Readonly<Record<string, Spoil>> = {
  'a bit': (bytes, draw) => {
    const at = draw(bytes.length);
    return withByte(bytes, at, (bytes[at] as number) ^ (1 << draw(8)));
  },
  'a byte': (bytes, draw) => withByte(bytes, draw(bytes.length), draw(256)),
  'a digit': otherDigit,
  'a cut': (bytes, draw) => bytes.subarray(0, draw(bytes.length)),
  'a cut at a line': (bytes, draw) => {
    const lines = linesOf(bytes);
    return Buffer.concat(lines.slice(0, draw(lines.length)));
  },
  'a zeroed block': zeroedBlock,
  'swapped lines': swappedLines,
  'a lost line': withoutLine,
};

/** Counts what became of spoiled states. */
export interface MutationTally {
  refused: number;
  /** Counts those that were read as they were at some moment, with a note. */
  noted: number;
  /** Counts those that were read as if nothing were wrong, or with data that was never there. */
  silent: number;
  /** Describes each of the silent ones. */
  readonly escaped: string[];
}

interface Opened {
  readonly content: string;
  readonly notes: readonly string[];
}

/** Opens a saved state, and returns what it holds as one text. */
async function openedState(file: string): Promise<Opened> {
  const notes: string[] = [];
  const files = await StateFiles.open({ file, onWarning: (note) => void notes.push(note) });
  const content = [files.content.sequence, ...persistedLines(files.content, () => {})].join('\n');
  await files.close();
  return { content, notes };
}

/** Writes a state of two tenants, partly in the snapshot and partly in the log, as a killed process leaves it. */
export async function killedState(contacts = 12): Promise<string> {
  const file = newFile();
  const options = { now: '2026-03-01T12:00:00Z', fixtures: './test/support/points.json' };
  for (const run of ['one', 'two']) {
    const client = await openSavedSim(file, options);
    for (const path of ['', '/t/other']) {
      for (let i = 0; i < contacts; i++) {
        const contact = { email: `${run}${i}@example.com`, contactType: 'Member' };
        const { body } = await client.post(`${path}/api/v3/contacts`, contact);
        await client.post(`${path}/api/v3/receipts`, receiptOf(body.id, `${run}-${i}`));
      }
    }
    await client.post('/__admin/clock', { advance: '40d' });
    if (run === 'two') return leftBehind(file);
    await closeSavedSim(client);
  }
  return file;
}

/** Lists what the state was after each line of its log. */
async function earlierStates(file: string): Promise<Set<string>> {
  const states = new Set<string>();
  const lines = linesOf(readFileSync(`${file}.log`));
  for (let length = 1; length <= lines.length; length++) {
    const copy = copyOf(file);
    writeFileSync(`${copy}.log`, Buffer.concat(lines.slice(0, length)));
    states.add((await openedState(copy)).content);
  }
  return states;
}

function copyOf(file: string): string {
  const copy = join(dirname(file), 'spoiled.json');
  for (const ending of ['', '.log']) {
    rmSync(`${copy}${ending}`, { force: true });
    if (existsSync(`${file}${ending}`)) copyFileSync(`${file}${ending}`, `${copy}${ending}`);
  }
  return copy;
}

/** Spoils copies of a saved state so many times, and counts what opening them says. */
export async function spoilStates(
  file: string,
  { seed, count }: { seed: number; count: number },
): Promise<MutationTally> {
  let drawn = 0;
  const draw: Draw = (below) => Math.floor(seededRandom(seed, String(drawn++)) * below);
  const states = await earlierStates(file);
  const tally: MutationTally = { refused: 0, noted: 0, silent: 0, escaped: [] };
  const kinds = Object.entries(spoils);
  for (let done = 0; done < count;) {
    const [kind, spoil] = kinds[done % kinds.length] as (typeof kinds)[number];
    const ending = draw(2) === 0 ? '' : '.log';
    const copy = copyOf(file);
    const bytes = readFileSync(`${copy}${ending}`);
    const spoiled = spoil(bytes, draw);
    if (spoiled.equals(bytes)) continue;
    writeFileSync(`${copy}${ending}`, spoiled);
    done++;
    const seen = await judge(copy, states);
    tally[seen === 'refused' || seen === 'noted' ? seen : 'silent']++;
    if (seen !== 'refused' && seen !== 'noted') tally.escaped.push(`${done}: ${kind} of state.json${ending}: ${seen}`);
  }
  return tally;
}

async function judge(file: string, states: ReadonlySet<string>): Promise<string> {
  try {
    const { content, notes } = await openedState(file);
    if (!states.has(content)) return 'other data';
    return notes.some((note) => note.includes(file)) ? 'noted' : 'no note';
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return error.message.startsWith(file) && error.message.includes('loyalty-sim repair') ? 'refused' : error.message;
  }
}
