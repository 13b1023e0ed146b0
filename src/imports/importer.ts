/** Imports the files of a tenant's folder whenever its clock comes to the moment of a batch. */
import { ApiError } from '../core/exchange/api-error.ts';
import { SideEffects } from '../core/exchange/exchange.ts';
import { Signal } from '../core/lib/signal.ts';
import { startTimer, toTimestamp } from '../core/time/clock.ts';
import type { Instant } from '../core/time/clock.ts';
import type { ClockedWork } from '../core/time/clocked-work.ts';
import type { ExecutedJob } from '../core/time/scheduler.ts';
import type { ImportFaultPlan, ImportStage } from '../core/tenant/import-faults.ts';
import type { Tenant } from '../core/tenant/tenant.ts';
import { importBatches } from '../service/imports/tables.ts';
import type { ImportBatch, ImportedFile } from '../service/imports/tables.ts';
import { ImportFolder } from './import-folder.ts';
import { BatchInterrupted, importFolderFiles, receiptsInFolder, recordFailedBatch, recordWithdrawal } from './batch.ts';
import { isUploadName, nameError } from './file-names.ts';
import type { WaitingFile } from './batch.ts';

/** Names the batches among the executed jobs. */
const importBatchKind = 'imports.batch';

/** Holds the pause before a batch is tried again whose result could not be saved, in ms. */
const retryDelay = 1000;

interface ImporterOptions {
  readonly tenant: Tenant;
  /** Holds the root of the tenant's files. */
  readonly root: string;
  /** Holds the time between two batches on the tenant's clock, in ms. */
  readonly every: number;
  /** Decides which faults hit batches, files and uploads. */
  readonly faults?: ImportFaultPlan | undefined;
  /** Receives each file that a batch took or refused. */
  readonly onFile?: ((file: ImportedFile) => void) | undefined;
  /** Receives an error that is a bug of the simulator. */
  readonly onInternalError: (error: unknown) => void;
}

/** Runs the batches of a tenant. Batches stand at whole multiples of the interval: at :00, :15, :30 and :45. */
export class Importer implements ClockedWork {
  readonly folder: ImportFolder;
  /** Emits each batch that took or refused something. */
  readonly imported = new Signal<ImportBatch>();
  readonly every: number;
  readonly #options: ImporterOptions;
  readonly #tenant: Tenant;
  readonly #executed = new Signal<ExecutedJob>();
  /** Holds the receipts of files that a batch left behind by a fault, by file. */
  readonly #leftBehind = new Map<string, readonly string[]>();
  /** Holds the moment to which a fault has put a batch off. */
  #putOffTo: Instant | undefined;
  /** Holds the files that were not whole at the last batch, by name. */
  readonly #waiting = new Map<string, WaitingFile>();
  /** Holds the moment of the last batch that was due. */
  #handled: Instant;
  #running: Promise<void> | undefined;
  /** Counts how often the tenant was put back. */
  #restores = 0;
  #isClosed = false;
  #cancelWake: () => void = () => {};
  readonly #endings: readonly (() => void)[];

  constructor(options: ImporterOptions) {
    this.#options = options;
    this.#tenant = options.tenant;
    this.every = options.every;
    this.folder = new ImportFolder(options.root);
    this.#handled = this.#slot();
    this.#endings = [this.#tenant.onChange(() => this.#wake()), this.#tenant.onRestore(() => this.#forget())];
    this.#armTimer();
  }

  /** Returns the moment of the next batch. */
  get nextBatch(): Instant {
    return this.#handled + this.every;
  }

  get waiting(): readonly WaitingFile[] {
    return [...this.#waiting.values()];
  }

  /** Returns the next batch that may find something: a clock that is moved by years passes over all others. */
  nextDue(): Instant | undefined {
    if (this.#isClosed) return undefined;
    return this.#putOffTo ?? (this.#hasWork() ? this.nextBatch : undefined);
  }

  async idle(): Promise<void> {
    this.#wake();
    await this.#running;
  }

  /** Notes that a client deletes a file before a batch took it. */
  async noteWithdrawal(name: string): Promise<void> {
    if (this.#isClosed || isUploadName(name) || nameError(name) !== undefined) return;
    const file = await recordWithdrawal(this.#tenant, this.folder, name);
    if (file) this.#options.onFile?.(file);
  }

  /** Returns after how many bytes the upload of a file breaks, if a fault says so. */
  breakAfter(name: string): number | undefined {
    const fault = this.#select('upload', name)?.fault;
    return fault?.kind === 'break' ? fault.after : undefined;
  }

  onExecuted(watcher: (done: ExecutedJob) => void): () => void {
    return this.#executed.subscribe(watcher);
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelWake();
    for (const end of this.#endings) end();
  }

  #forget(): void {
    this.#restores++;
    this.#waiting.clear();
    this.#leftBehind.clear();
    this.#putOffTo = undefined;
  }

  #hasWork(): boolean {
    return this.folder.hasEntries() || this.#leftBehind.size > 0;
  }

  #select(stage: ImportStage, name = ''): ReturnType<ImportFaultPlan['select']> {
    return this.#options.faults?.select({ stage, name, tenant: this.#tenant }, this.#tenant.clock.now());
  }

  /** Returns the last moment of a batch by now. */
  #slot(): Instant {
    return Math.floor(this.#tenant.clock.now() / this.every) * this.every;
  }

  /** Runs the batch that is due; several that were passed over are one. */
  #wake(): void {
    if (this.#isClosed || this.#running) return;
    const slot = this.#slot();
    const isDue = slot > this.#handled;
    // A clock that was set back has its batches before it again.
    this.#handled = slot;
    if (this.#putOffTo !== undefined) {
      if (this.#tenant.clock.now() >= this.#putOffTo) this.#start(() => this.#run());
      else this.#armTimer();
    } else if (isDue && this.#hasWork()) this.#start(() => this.#beginBatch(slot));
    else this.#armTimer();
  }

  #start(work: () => Promise<void>): void {
    this.#putOffTo = undefined;
    this.#running = work().finally(() => this.#end());
  }

  /** Runs a batch, unless a fault puts it off or lets it fail. */
  async #beginBatch(slot: Instant): Promise<void> {
    const fired = this.#select('batch');
    if (fired?.fault.kind === 'late') this.#putOffTo = slot + fired.fault.by;
    else if (fired?.fault.kind !== 'fail') return this.#run();
    try {
      if (fired.fault.kind === 'fail')
        this.#tell([], recordFailedBatch(this.#tenant, `made to fail by the rule ${fired.rule}`));
      for (const [name, ids] of await receiptsInFolder(this.folder)) this.#leftBehind.set(name, ids);
    } catch (error) {
      this.#options.onInternalError(error);
    }
  }

  #end(): void {
    this.#running = undefined;
    this.#armTimer();
  }

  async #run(): Promise<void> {
    const last = lastBatch(this.#tenant)?.number ?? 0;
    const restores = this.#restores;
    try {
      const files = await importFolderFiles({
        tenant: this.#tenant,
        folder: this.folder,
        waiting: this.#waiting,
        leftBehind: this.#leftBehind,
        faultOf: (name) => this.#select('file', name)?.rule,
        isOver: () => this.#isClosed || this.#restores > restores,
        onFile: this.#options.onFile,
      });
      const batch = lastBatch(this.#tenant);
      if (batch && batch.number > last) this.#tell(files, batch);
    } catch (error) {
      // A commit that couldn't be saved: whoever saves has reported it, and the files are still there.
      if (error instanceof ApiError) this.#cancelWake = startTimer(retryDelay, () => this.#runAgain());
      else if (!(error instanceof BatchInterrupted)) this.#options.onInternalError(error);
    }
  }

  #runAgain(): void {
    if (!this.#isClosed && !this.#running) this.#start(() => this.#run());
  }

  #tell(files: readonly ImportedFile[], batch: ImportBatch): void {
    this.imported.emit(batch);
    const sideEffects = new SideEffects();
    for (const { name, reason } of files) if (reason) sideEffects.warn('import-refused', `${name} ${reason.message}`);
    const job = { id: `import-${batch.number}`, kind: importBatchKind, exchange: undefined };
    this.#executed.emit({ at: batch.at, job, sideEffects, error: batch.error ?? undefined });
  }

  #armTimer(): void {
    this.#cancelWake();
    const { clock } = this.#tenant;
    if (this.#isClosed || clock.isFrozen) return;
    this.#cancelWake = startTimer(Math.max(0, (this.#putOffTo ?? this.nextBatch) - clock.now()), () => this.#wake());
  }
}

function lastBatch(tenant: Tenant): ImportBatch | undefined {
  const last = tenant.list(importBatches, 'all', 'all').last();
  return last && tenant.get(importBatches, last.key);
}

/** Says in a line what became of a file. */
export function describeImport({
  status,
  name,
  at,
  reason,
  receipts,
  imported,
  repeated,
  unknownContact,
}: ImportedFile): string {
  const when = toTimestamp(at);
  const place = reason === null || reason.line === null ? '' : ` (line ${reason.line})`;
  if (status === 'refused') return `${when}: ${name} was refused${place}: it ${reason?.message ?? ''}`;
  if (status === 'withdrawn') return `${when}: ${name} ${reason?.message ?? ''}`;
  const others = [
    ...(repeated > 0 ? [`${repeated} were there already`] : []),
    ...(unknownContact > 0 ? [`${unknownContact} belong to nobody and are ignored`] : []),
  ];
  return `${when}: imported ${imported} of ${receipts} receipts from ${name}${others.map((other) => `, ${other}`).join('')}`;
}
