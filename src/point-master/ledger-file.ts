/** Keeps a ledger in a file, a line of JSON for each change, so that the point master goes on where it was killed. */
import {
  appendFileSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import * as z from 'zod';
import { InputError } from '../core/lib/input-error.ts';
import type { LedgerStore, StoredChange } from './ledger.ts';

const changeSchema: z.ZodType<StoredChange> = z.union([
  z.strictObject({ reset: z.string().nullable() }),
  z.strictObject({
    tenant: z.string(),
    contactId: z.string(),
    definitionId: z.int(),
    amount: z.number(),
    description: z.string(),
    at: z.number(),
    eventId: z.string().optional(),
  }),
]);

/** Lists how the line of a change begins. */
const changeStarts = ['{"reset":', '{"tenant":'];

/**
 * Opens a file that each change is appended to before it is responded to. A last line that was cut is dropped: nobody
 * was notified of that change. Throws an `InputError` for a file of another kind, which it leaves as it is, or for one
 * that can't be written.
 */
export function openLedgerFile(path: string): LedgerStore {
  const changes = withFileErrors(path, 'read', () => readChanges(path));
  // For its owner alone: it holds data of contacts.
  const file = withFileErrors(path, 'written', () => openSync(path, 'a', 0o600));
  return { changes, append: (change) => appendWhole(file, `${JSON.stringify(change)}\n`) };
}

/** Appends a line as a whole, or throws and leaves nothing of it. */
function appendWhole(file: number, line: string): void {
  const bytes = Buffer.from(line);
  const written = writeSync(file, bytes);
  if (written === bytes.length) return;
  ftruncateSync(file, fstatSync(file).size - written);
  throw new Error('there is no room left for the ledger');
}

function readChanges(path: string): StoredChange[] {
  if (!existsSync(path)) return [];
  if (!statSync(path).isFile()) throw new Error('it is no file');
  const bytes = readFileSync(path);
  const end = bytes.lastIndexOf('\n') + 1;
  const changes = bytes
    .subarray(0, end)
    .toString('utf8')
    .split('\n')
    .slice(0, -1)
    .map((line, i) => parseChange(line, `${path}:${i + 1}`));
  const last = bytes.subarray(end).toString('utf8');
  if (last === '') return changes;
  if (isCutChange(last)) {
    truncateSync(path, end);
    return changes;
  }
  const change = parseChange(last, `${path}:${changes.length + 1}`);
  appendFileSync(path, '\n');
  return [...changes, change];
}

/** True for the beginning of a change, as a process leaves it that is killed while it writes. */
const isCutChange = (text: string): boolean =>
  jsonOf(text) === undefined && changeStarts.some((start) => start.startsWith(text) || text.startsWith(start));

function parseChange(line: string, place: string): StoredChange {
  const parsed = changeSchema.safeParse(jsonOf(line));
  if (parsed.success) return parsed.data;
  throw new InputError(`data: ${place} is no change of a ledger, such as {"tenant":…,"contactId":…,"amount":25,…}`);
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function withFileErrors<Result>(path: string, what: 'read' | 'written', work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(`data: ${path} can't be ${what}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
