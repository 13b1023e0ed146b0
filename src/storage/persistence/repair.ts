/** Takes what is whole of a damaged saved state. */
import { constants, copyFileSync, existsSync, realpathSync, statSync } from 'node:fs';
import { Clock } from '../../core/time/clock.ts';
import { InputError, InUseError } from '../../core/lib/input-error.ts';
import { seededGuid } from '../../core/lib/random.ts';
import { CommitLog, logHeaderSchema } from './commit-log.ts';
import { DamagedFileError, errorMessage, linePlace } from './corruption.ts';
import { FileLock } from './file-lock.ts';
import { readLines } from './file-lines.ts';
import type { FileLine } from './file-lines.ts';
import { LineSums, noLines } from './line-sums.ts';
import { parseEntry } from './persisted-entry.ts';
import type { LocatedEntry } from './persisted-entry.ts';
import { StateReplayer } from './replay.ts';
import { headerEnding, headerSchema, SnapshotFile, withoutComma } from './snapshot-file.ts';
import type { StateSnapshot } from './snapshot-file.ts';
import { StateFiles } from './state-files.ts';

/** Describes something that could not be taken. */
export interface LostPart {
  readonly place: string;
  readonly what: string;
}

export interface Repair {
  readonly lost: readonly LostPart[];
  /** Counts the lines that were taken. */
  readonly taken: { readonly snapshot: number; readonly log: number };
  /** Names the copies of the damaged files; none when nothing was damaged. */
  readonly kept: readonly string[];
  readonly notes: readonly string[];
}

/** Repairs a saved state. Throws `InputError` when nothing of it is whole, or it is in use. */
export async function repairState(named: string): Promise<Repair> {
  if (!existsSync(named)) throw new InputError(`${named}: there is no such file.`);
  if (!statSync(named).isFile()) throw new InputError(`${named}: this is no file, but a folder or a device.`);
  const file = realpathSync(named);
  const notes: string[] = [];
  try {
    const files = await StateFiles.open({ file, onWarning: (note) => void notes.push(note) });
    await files.close();
    return { lost: [], taken: { snapshot: 0, log: 0 }, kept: [], notes };
  } catch (error) {
    if (!(error instanceof InputError) || error instanceof InUseError) throw error;
    return salvage(file, error);
  }
}

async function salvage(file: string, refusal: InputError): Promise<Repair> {
  const lock = FileLock.take(file);
  try {
    const { content, lost, taken } = salvaged(file, refusal);
    const kept = [file, `${file}.log`].filter((path) => existsSync(path)).map(copyAside);
    await new SnapshotFile(file).write(content);
    CommitLog.begin(`${file}.log`, content.id, content).close();
    return { lost, taken, kept, notes: [] };
  } finally {
    lock.release();
  }
}

/** Says that there is nothing to take, in place of the advice to repair the file. */
const nothingWhole = (file: string, refusal: InputError): InputError =>
  new InputError(
    `${refusal instanceof DamagedFileError ? refusal.damage : refusal.message.replace(/\.$/, '')}. Nothing of it is whole, so there is nothing to repair: put a good copy in its place, or move ${file} (and its .log) away to start from the fixtures again.`,
  );

type Salvaged = Pick<Repair, 'lost' | 'taken'> & { readonly content: StateSnapshot };

/** Returns all that is whole, or what is whole of the snapshot when the log doesn't fit to that any more. */
function salvaged(file: string, refusal: InputError): Salvaged {
  const lines = snapshotLines(file);
  if (lines.entries.length === 0) throw nothingWhole(file, refusal);
  const log = logLines(`${file}.log`, lines.header);
  try {
    return replayed(file, lines, log);
  } catch (error) {
    const all = { place: `${file}.log`, what: `none of it fits to what is whole of ${file} (${errorMessage(error)})` };
    return replayed(file, lines, { entries: [], lost: [all] });
  }
}

function replayed(file: string, { header, ...snapshot }: SnapshotLines, log: WholeLines): Salvaged {
  // Need not be random: it distinguishes this file from those that it could be mistaken for.
  const id = seededGuid(process.pid, `${file}/repaired`, new Clock().now());
  const content: StateSnapshot = {
    id,
    logAfter: null,
    sequence: 0,
    logSum: noLines,
    seeds: new Map(),
    tenants: new Map(),
  };
  const unfit: LostPart[] = [];
  const add = (replayer: StateReplayer, entries: readonly LocatedEntry[]): number => {
    const before = unfit.length;
    for (const entry of entries) {
      try {
        replayer.add(entry);
      } catch {
        unfit.push({ place: linePlace(entry.location), what: 'what it belongs to is lost' });
      }
    }
    replayer.finish();
    return entries.length - (unfit.length - before);
  };
  const fromSnapshot = add(new StateReplayer(content, file), snapshot.entries);
  const fromLog = add(new StateReplayer(content, `${file}.log`), log.entries);
  content.sequence = log.entries.reduce((last, { entry }) => Math.max(last, entry.n ?? 0), header?.sequence ?? 0);
  return {
    content,
    lost: [...snapshot.lost, ...log.lost, ...unfit],
    taken: { snapshot: fromSnapshot, log: fromLog },
  };
}

interface WholeLines {
  readonly entries: readonly LocatedEntry[];
  readonly lost: readonly LostPart[];
}

interface SnapshotLines extends WholeLines {
  readonly header: Pick<StateSnapshot, 'id' | 'logAfter' | 'sequence'> | undefined;
}

function snapshotLines(file: string): SnapshotLines {
  const { lines, lost } = wholeLines(file);
  const [first] = lines;
  const header = first?.number === 1 ? headerSchema.safeParse(parsedJson(`${first.text}]}`)).data : undefined;
  if (lost.length === 0 && !lines.at(-1)?.text.startsWith(']')) lost.push({ place: file, what: 'its end is missing' });
  return { header, lost, entries: lines.filter(isSnapshotEntry).map((line) => locatedEntry(file, line)) };
}

/** Returns what is whole of a log; nothing of one that goes with another snapshot. */
function logLines(file: string, header: SnapshotLines['header']): WholeLines {
  if (!existsSync(file)) return { entries: [], lost: [{ place: file, what: 'the log is missing' }] };
  const { lines, lost } = wholeLines(file);
  const [first] = lines;
  const start = first?.number === 1 ? logHeaderSchema.safeParse(parsedJson(first.text)).data : undefined;
  if (start && header && start.after !== header.id && start.after !== header.logAfter)
    return { entries: [], lost: [{ place: file, what: 'it goes with another snapshot' }] };
  const entries = lines.filter(isCommit).map((line) => locatedEntry(file, line));
  // The client of a commit that was cut short had no response.
  while (entries.at(-1)?.entry.more) entries.pop();
  return { lost, entries: entries.filter(({ entry }) => (entry.n ?? 0) > (header?.sequence ?? 0)) };
}

type WholeLine = Pick<FileLine, 'number'> & { readonly text: string };

const isSnapshotEntry = ({ text }: WholeLine): boolean => text.startsWith('{') && !text.endsWith(headerEnding);
const isCommit = ({ text }: WholeLine): boolean => text.startsWith('{"n":');

/** Returns the lines with a sum that is theirs, and says where others are or were. */
function wholeLines(file: string): { readonly lines: readonly WholeLine[]; readonly lost: LostPart[] } {
  const lines: WholeLine[] = [];
  const lost: LostPart[] = [];
  let sums = new LineSums();
  let before = 'whole';
  for (const line of readLines(file)) {
    const { number, bytes, text = '' } = line;
    const place = linePlace({ file, line: number });
    const ending = [headerEnding, '},', '}'].find((known) => text.endsWith(known)) ?? '}';
    const state = sums.check(bytes, ending);
    if (state === 'changed') lost.push({ place, what: describeLost(line) });
    else lines.push({ number, text });
    // After a changed line nothing is missing: the sum of all lines may be what was changed in it.
    if (state === 'moved' && before !== 'changed')
      lost.push({ place, what: 'lines before it are missing, or have changed places' });
    before = state;
    const logSum =
      number === 1 && state === 'whole' ? logHeaderSchema.safeParse(parsedJson(text)).data?.logSum : undefined;
    if (logSum !== undefined) sums = new LineSums(logSum);
  }
  return { lines, lost };
}

function describeLost({ isWhole, text = '' }: FileLine): string {
  const [, n] = /^\{"n":(\d+)/.exec(text) ?? [];
  const [, table, key] = /"rows":\[\["(\w+)","([^"]*)"/.exec(text) ?? [];
  const commit = n === undefined ? '' : `commit ${n}, `;
  const row = table === undefined ? 'a line whose row is unknown' : `the row of ${table} with the key ${key}`;
  return `${commit}${row} is lost: ${isWhole ? 'the line is not as it was written' : 'the line was cut short'}`;
}

const locatedEntry = (file: string, { number, text }: WholeLine): LocatedEntry => {
  const location = { file, line: number };
  return { location, entry: parseEntry(withoutComma(text), location) };
};

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Copies a file to a name that is free. */
function copyAside(path: string): string {
  for (let number = 1; ; number++) {
    const copy = `${path}.damaged${number === 1 ? '' : `-${number}`}`;
    if (existsSync(copy)) continue;
    copyFileSync(path, copy, constants.COPYFILE_EXCL);
    return copy;
  }
}
