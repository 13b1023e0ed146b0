/** Takes the files of a folder in the order of their names, one after another. */
import { SideEffects } from '../core/exchange/exchange.ts';
import type { SavepointResult } from '../core/tenant/context.ts';
import type { Tenant } from '../core/tenant/tenant.ts';
import { toTimestamp } from '../core/time/clock.ts';
import { finish, nextTurn } from '../core/time/steps.ts';
import type { Steps } from '../core/time/steps.ts';
import { importReceipt } from '../service/imports/operations.ts';
import type { ImportOutcome } from '../service/imports/operations.ts';
import { importBatches, importedFiles } from '../service/imports/tables.ts';
import type { ImportBatch, ImportCounts, ImportedFile, ImportNote } from '../service/imports/tables.ts';
import type { ReceiptBody } from '../service/receipts/schema.ts';
import { checkFile } from './file-check.ts';
import type { CheckedFile, CheckedReceipt } from './file-check.ts';
import { isUploadName, nameError } from './file-names.ts';
import { isBeingUploaded } from './open-uploads.ts';
import type { FolderEntry, ImportFolder } from './import-folder.ts';
import { FileRefusal, readTransactions } from './transactions-file.ts';

/** Describes a file that is left alone until the next batch. */
export interface WaitingFile {
  readonly name: string;
  readonly reason: string;
  readonly version: string;
}

/** Ends a batch whose tenant is gone or was put back; its files stay where they are. */
export class BatchInterrupted extends Error {}

interface BatchOptions {
  readonly tenant: Tenant;
  readonly folder: ImportFolder;
  /** Holds the files that wait, by name; brought up to date. */
  readonly waiting: Map<string, WaitingFile>;
  /** True when the tenant is gone or was put back, so that nothing more may be done. */
  readonly isOver: () => boolean;
  /** Holds the receipts of files that an earlier batch left behind; emptied. */
  readonly leftBehind: Map<string, readonly string[]>;
  /** Returns the rule by which a file is refused, if there is one. */
  readonly faultOf: (name: string) => string | undefined;
  readonly onFile?: ((file: ImportedFile) => void) | undefined;
}

/** Says how many lines of receipts are recorded at once, before others have their turn. */
const linesAtOnce = 200;

/** Ends that when so many rows were changed: a receipt may make a thousand vouchers. */
const changesAtOnce = 2000;

/** Counts for a receipt besides its lines: it takes about as long as they do. */
const linesOfReceipt = 2;

const noCounts: ImportCounts = { receipts: 0, imported: 0, repeated: 0, unknownContact: 0, refused: 0 };

/** Imports or refuses each file that is complete. Returns what became of them. */
export async function importFolderFiles(options: BatchOptions): Promise<ImportedFile[]> {
  const { tenant, folder, waiting, isOver, onFile } = options;
  const entries = await folder.entries();
  const seen = new Map(waiting);
  waiting.clear();
  const files: ImportedFile[] = [];
  const batch = new BatchLog(tenant);
  for (const [name, missing] of options.leftBehind) {
    if (!entries.some((entry) => entry.name === name)) files.push(batch.record(withdrawalOf(name, { missing })));
  }
  options.leftBehind.clear();
  for (const entry of entries) {
    if (isOver()) throw new BatchInterrupted();
    const waits = uploadReason(entry);
    if (waits !== undefined) {
      waiting.set(entry.name, { name: entry.name, reason: waits, version: entry.version });
      continue;
    }
    try {
      files.push(await importFile(options, entry, batch));
    } catch (error) {
      const refusal = refusalFrom(error);
      if (!refusal) continue;
      if (refusal.code === 'torn' && seen.get(entry.name)?.version !== entry.version) {
        waiting.set(entry.name, {
          name: entry.name,
          reason: `${refusal.message}; it may still be written`,
          version: entry.version,
        });
        continue;
      }
      files.push(await refuseFile(options, { entry, refusal, batch }));
    }
    const last = files.at(-1);
    if (last) onFile?.(last);
  }
  return files;
}

function uploadReason({ name, path }: FolderEntry): string | undefined {
  if (isBeingUploaded(path)) return 'is being uploaded';
  return isUploadName(name) ? 'has the name of an upload that is under way' : undefined;
}

/** Returns the refusal; undefined for a file that has gone. Throws what is none. */
function refusalFrom(error: unknown): FileRefusal | undefined {
  if (error instanceof FileRefusal) return error;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') return undefined;
  if (code === 'EACCES' || code === 'EPERM' || code === 'ELOOP') {
    return new FileRefusal('unreadable', `can't be read (${code})`);
  }
  throw error;
}

async function importFile(
  { tenant, folder, isOver, faultOf }: BatchOptions,
  entry: FolderEntry,
  batch: BatchLog,
): Promise<ImportedFile> {
  const wrongName = nameError(entry.name);
  if (wrongName !== undefined) throw new FileRefusal('wrong-name', wrongName);
  if (!entry.isFile) throw new FileRefusal('no-regular-file', 'is no regular file; links are not followed');
  const rule = faultOf(entry.name);
  if (rule !== undefined) throw new FileRefusal('fault', `is refused by the rule ${rule}`);
  const checked = await checkFile(tenant, entry.path);
  if (isOver()) throw new BatchInterrupted();
  const twin = tenant.list(importedFiles, 'byDigest', checked.digest).first();
  const earlier = twin && tenant.get(importedFiles, twin.key);
  if (earlier) {
    const message = `is the same as ${earlier.name}, which was imported at ${toTimestamp(earlier.at)}`;
    throw new FileRefusal('same-file-twice', message);
  }
  const counts = await recordAll(tenant, checked, isOver);
  const { bytes, digest, notes } = checked;
  const row = batch.record({
    ...counts,
    name: entry.name,
    bytes,
    digest,
    status: 'imported',
    missing: [],
    reason: null,
    notes: notes.notes,
    notesOmitted: notes.omitted,
    keptAs: null,
  });
  await folder.remove(entry.name);
  return row;
}

/** Records some receipts at a time, and a very long one in several turns, so that requests get responses meanwhile. */
async function recordAll(tenant: Tenant, file: CheckedFile, isOver: () => boolean): Promise<ImportCounts> {
  const counts = { ...noCounts, receipts: file.receipts.length + file.refused, refused: file.refused };
  for (const some of portionsOf(file.receipts)) {
    for (let rest = some; rest.length > 0;) {
      const outcomes = await tenant.takeInTurns(recordSome(tenant, rest, { file, isOver }));
      for (const outcome of outcomes) counts[outcome]++;
      rest = rest.slice(outcomes.length);
      await nextTurn();
    }
  }
  return counts;
}

/** Returns the receipts in their order, divided by how long they take; one that takes longer is a part of its own. */
function* portionsOf(receipts: readonly CheckedReceipt[]): Generator<readonly CheckedReceipt[]> {
  let [some, lines]: [CheckedReceipt[], number] = [[], 0];
  for (const receipt of receipts) {
    const more = receipt.items + linesOfReceipt;
    if (some.length > 0 && lines + more > linesAtOnce) {
      yield some;
      [some, lines] = [[], 0];
    }
    some.push(receipt);
    lines += more;
  }
  if (some.length > 0) yield some;
}

interface Recording {
  readonly file: CheckedFile;
  readonly isOver: () => boolean;
}

type Outcome = ImportOutcome | 'refused';

/** Records the first of some receipts, at least one, and returns what became of each. */
function* recordSome(
  tenant: Tenant,
  some: readonly CheckedReceipt[],
  { file, isOver }: Recording,
): Steps<readonly Outcome[]> {
  const outcome = new SideEffects();
  const check = (): void => {
    if (isOver()) throw new BatchInterrupted();
  };
  check();
  const [long] = some;
  if (!long || long.items <= linesAtOnce) {
    return tenant.transact(outcome, () => {
      const outcomes: Outcome[] = [];
      for (const receipt of some) {
        const before = outcome.warnings.length;
        const recorded = finish(recordOne(tenant, receipt));
        outcomes.push(noteOutcome(recorded, file, outcome.warnings.slice(before)));
        if (outcome.changes.length >= changesAtOnce) break;
      }
      return outcomes;
    });
  }
  const recorded = yield* tenant.transactInSteps({
    outcome,
    steps: function* () {
      check();
      const done = yield* recordOne(tenant, long);
      check();
      return done;
    },
    exchange: undefined,
  });
  return [noteOutcome(recorded, file, outcome.warnings)];
}

interface RecordedReceipt {
  readonly receipt: CheckedReceipt;
  readonly id: string | null;
  readonly attempt: SavepointResult<ImportOutcome>;
}

function* recordOne(tenant: Tenant, receipt: CheckedReceipt): Steps<RecordedReceipt> {
  const body = JSON.parse(receipt.json) as ReceiptBody;
  const attempt = yield* tenant.savepointInSteps(() => importReceipt(tenant, body));
  return { receipt, id: body.uniqueReceiptId ?? null, attempt };
}

/** Notes in a file what was said of a receipt, and returns what became of it. */
function noteOutcome(
  { receipt: { line, column }, id, attempt }: RecordedReceipt,
  { notes }: CheckedFile,
  warnings: SideEffects['warnings'],
): Outcome {
  const said = 'error' in attempt ? [...warnings, attempt.error] : warnings;
  for (const { code, message } of said) notes.add(() => ({ code, message, line, column, uniqueReceiptId: id }));
  return 'error' in attempt ? 'refused' : attempt.result;
}

interface Refused {
  readonly entry: FolderEntry;
  readonly refusal: FileRefusal;
  readonly batch: BatchLog;
}

async function refuseFile({ tenant, folder }: BatchOptions, { entry, refusal, batch }: Refused): Promise<ImportedFile> {
  const { code, message, line, column } = refusal;
  const reason: ImportNote = { code, message, line, column, uniqueReceiptId: null };
  const at = line === null ? '' : `:${line}:${column ?? 1}`;
  const text = `${entry.name}${at}: ${message}\n\nRefused by the batch of ${toTimestamp(tenant.clock.now())} (${code}). Nothing of it was imported.\n`;
  const missing = await readReceiptIds(entry.path);
  const keptAs = await folder.keepFailed(entry.name, text);
  return batch.record({
    ...noCounts,
    name: entry.name,
    bytes: entry.bytes,
    digest: '',
    status: 'refused',
    missing,
    reason,
    notes: [],
    notesOmitted: 0,
    keptAs,
  });
}

const maxMissing = 1000;

/** Returns the ids of the receipts in a file, as far as it can be read. */
async function readReceiptIds(path: string): Promise<string[]> {
  const ids: string[] = [];
  try {
    await readTransactions(path, (elements) => {
      for (const { children } of elements) {
        const id = children.find(({ name }) => name === 'uniqueReceiptId')?.text.trim();
        if (id && ids.length < maxMissing) ids.push(id);
      }
    });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
  }
  return ids;
}

/** Notes that the sender of a file deletes it; returns undefined for a file that is not there or is no receipts'. */
export async function recordWithdrawal(
  tenant: Tenant,
  folder: ImportFolder,
  name: string,
): Promise<ImportedFile | undefined> {
  const entry = await folder.entry(name);
  const missing = entry?.isFile ? await readReceiptIds(entry.path) : [];
  if (!entry || missing.length === 0) return undefined;
  return new BatchLog(tenant).record(withdrawalOf(name, { missing, bytes: entry.bytes }));
}

interface Withdrawn {
  readonly missing: readonly string[];
  readonly bytes?: number;
}

const withdrawalOf = (
  name: string,
  { missing, bytes = 0 }: Withdrawn,
): Omit<ImportedFile, 'number' | 'batch' | 'at'> => ({
  ...noCounts,
  name,
  bytes,
  digest: '',
  status: 'withdrawn',
  missing,
  reason: {
    code: 'withdrawn',
    message: 'was deleted before a batch took it',
    line: null,
    column: null,
    uniqueReceiptId: null,
  },
  notes: [],
  notesOmitted: 0,
  keptAs: null,
});

/** Returns the receipts of each file in a folder that a batch would take. */
export async function receiptsInFolder(folder: ImportFolder): Promise<(readonly [name: string, ids: string[]])[]> {
  const entries = (await folder.entries()).filter((entry) => entry.isFile && nameError(entry.name) === undefined);
  const found = await Promise.all(entries.map(async ({ name, path }) => [name, await readReceiptIds(path)] as const));
  return found.filter(([, ids]) => ids.length > 0);
}

/** Notes a batch that took nothing. */
export const recordFailedBatch = (tenant: Tenant, error: string): ImportBatch =>
  tenant.transact(new SideEffects(), () =>
    tenant.put(importBatches, { number: tenant.next('importBatch'), at: tenant.now(), error }),
  );

/** Writes down what became of the files of one batch; a batch without any leaves no trace. */
class BatchLog {
  readonly #tenant: Tenant;
  #number: number | undefined;

  constructor(tenant: Tenant) {
    this.#tenant = tenant;
  }

  record(file: Omit<ImportedFile, 'number' | 'batch' | 'at'>): ImportedFile {
    return this.#tenant.transact(new SideEffects(), () => {
      const at = this.#tenant.now();
      this.#number ??= this.#begin();
      return this.#tenant.put(importedFiles, {
        ...file,
        number: this.#tenant.next('importedFile'),
        batch: this.#number,
        at,
      });
    });
  }

  #begin(): number {
    const number = this.#tenant.next('importBatch');
    this.#tenant.put(importBatches, { number, at: this.#tenant.now(), error: null });
    return number;
  }
}
