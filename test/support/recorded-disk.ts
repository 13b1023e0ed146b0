/**
 * Records what is written to files, forced to the disk and renamed, and makes from it what a disk may hold after a power
 * failure: it keeps what it was forced to keep, and of the rest any part.
 */
import fs from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join, relative } from 'node:path';

/** Describes one change to a file, which stands for its content whatever its name. */
type FileChange =
  | { readonly file: number; readonly at: number; readonly bytes: Buffer }
  | { readonly file: number; readonly length: number };

/** Describes one change to the names of a folder. */
interface NameChange {
  readonly name: string;
  /** Holds the file that has the name from now on; none when it is removed. */
  readonly file: number | undefined;
  /** Holds a name that is gone with this change. */
  readonly from?: string;
}

type Operation =
  | { readonly kind: 'change'; readonly change: FileChange }
  | { readonly kind: 'name'; readonly change: NameChange }
  /** Says that all changes of a file before the operation `upTo` are on the disk. */
  | { readonly kind: 'forced'; readonly file: number; readonly upTo: number }
  | { readonly kind: 'names-forced' }
  /** Holds a number that a test has noted, such as the requests that were responded to. */
  | { readonly kind: 'mark'; readonly value: number };

export type Draw = (below: number) => number;

/** Holds the files of a folder by their names. */
export type DiskFiles = ReadonlyMap<string, Buffer>;

const pageLength = 4096;

export class RecordedDisk {
  readonly operations: Operation[] = [];
  readonly #folder: string;
  readonly #files = new Map<number, number>();
  readonly #names = new Map<string, number>();
  readonly #folders = new Set<number>();
  #count = 0;
  #restore = (): void => {};

  /** Records what happens in a folder, but for files that the state does not depend on. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  mark(value: number): void {
    this.operations.push({ kind: 'mark', value });
  }

  /** Counts how often something was forced to the disk. */
  get forcedCount(): number {
    return this.operations.filter(({ kind }) => kind === 'forced').length;
  }

  start(): void {
    const original = { ...fs };
    const { open } = fs.promises;
    const replaced = this.#replacements(original, open);
    Object.assign(fs, replaced.sync);
    fs.promises.open = replaced.open;
    syncBuiltinESMExports();
    this.#restore = () => {
      for (const name of Object.keys(replaced.sync) as (keyof typeof replaced.sync)[])
        Object.assign(fs, { [name]: original[name] });
      fs.promises.open = open;
      syncBuiltinESMExports();
    };
  }

  stop(): void {
    this.#restore();
  }

  #nameOf(path: unknown): string | undefined {
    const name = typeof path === 'string' ? relative(this.#folder, path) : '..';
    return name.startsWith('..') || /\.(?:lock|index)(?:\.|$)/.test(name) ? undefined : name;
  }

  #opened(path: unknown, flags: unknown, descriptor: number): void {
    const name = this.#nameOf(path);
    if (name === undefined) return;
    if (name === '') return void this.#folders.add(descriptor);
    let file = this.#names.get(name);
    if (file === undefined && flags !== 'r') {
      file = this.#count++;
      this.#names.set(name, file);
      this.operations.push({ kind: 'name', change: { name, file } });
    }
    if (file === undefined) return;
    if (String(flags).startsWith('w')) this.#changed({ file, length: 0 });
    this.#files.set(descriptor, file);
  }

  #changed(change: FileChange): void {
    this.operations.push({ kind: 'change', change });
  }

  #forced(descriptor: number, upTo: number): void {
    const file = this.#files.get(descriptor);
    if (file !== undefined) this.operations.push({ kind: 'forced', file, upTo });
    else if (this.#folders.has(descriptor)) this.operations.push({ kind: 'names-forced' });
  }

  #replacements(original: typeof fs, open: typeof fs.promises.open) {
    const sizes = new Map<number, number>();
    const sync = {
      openSync: (path: string, flags: string, mode?: number): number => {
        const descriptor = original.openSync(path, flags, mode);
        this.#opened(path, flags, descriptor);
        return descriptor;
      },
      closeSync: (descriptor: number): void => {
        this.#files.delete(descriptor);
        this.#folders.delete(descriptor);
        original.closeSync(descriptor);
      },
      writeSync: (descriptor: number, bytes: Buffer, from: number, length: number, at: number): number => {
        const written = original.writeSync(descriptor, bytes, from, length, at);
        const file = this.#files.get(descriptor);
        if (file !== undefined) this.#changed({ file, at, bytes: Buffer.from(bytes.subarray(from, from + written)) });
        return written;
      },
      ftruncateSync: (descriptor: number, length: number): void => {
        original.ftruncateSync(descriptor, length);
        const file = this.#files.get(descriptor);
        if (file !== undefined) this.#changed({ file, length });
      },
      fdatasyncSync: (descriptor: number): void => {
        original.fdatasyncSync(descriptor);
        this.#forced(descriptor, this.operations.length);
      },
      fsyncSync: (descriptor: number): void => {
        original.fsyncSync(descriptor);
        this.#forced(descriptor, this.operations.length);
      },
      fdatasync: (descriptor: number, callback: (error: Error | null) => void): void => {
        const upTo = this.operations.length;
        original.fdatasync(descriptor, (error) => {
          if (!error) this.#forced(descriptor, upTo);
          callback(error);
        });
      },
      renameSync: (from: string, to: string): void => {
        original.renameSync(from, to);
        const [old, name] = [this.#nameOf(from), this.#nameOf(to)];
        if (old === undefined || name === undefined) return;
        const file = this.#names.get(old) as number;
        this.#names.delete(old);
        this.#names.set(name, file);
        this.operations.push({ kind: 'name', change: { name, file, from: old } });
      },
    };
    const openHandle = async (path: string, flags: string, mode?: number): Promise<FileHandle> => {
      const handle = await open(path, flags, mode);
      this.#opened(path, flags, handle.fd);
      const { fd } = handle;
      sizes.set(fd, 0);
      const recorded = {
        writeFile: async (bytes: Buffer): Promise<void> => {
          await handle.writeFile(bytes);
          const at = sizes.get(fd) ?? 0;
          sizes.set(fd, at + bytes.length);
          const file = this.#files.get(fd);
          if (file !== undefined) this.#changed({ file, at, bytes });
        },
        datasync: async (): Promise<void> => {
          const upTo = this.operations.length;
          await handle.datasync();
          this.#forced(fd, upTo);
        },
        close: async (): Promise<void> => {
          this.#files.delete(fd);
          await handle.close();
        },
      };
      return recorded as unknown as FileHandle;
    };
    return { sync, open: openHandle as typeof open };
  }

  /** Returns the last number that was noted before this operation. */
  markedBefore(end: number): number {
    return this.operations.slice(0, end).reduce((last, one) => (one.kind === 'mark' ? one.value : last), 0);
  }

  /** Returns the operation up to which the file of this name had been forced to the disk before another. */
  forcedBefore(end: number, named: string): number {
    let [file, forced]: [number | undefined, number] = [undefined, 0];
    for (const one of this.operations.slice(0, end)) {
      if (one.kind === 'name' && one.change.name === named) ({ file } = one.change);
      if (one.kind === 'forced' && one.file === file) forced = one.upTo;
    }
    return forced;
  }

  /** Returns what a disk may hold when the power fails before this operation: as given, or drawn. */
  filesAt(end: number, keep: (changes: readonly FileChange[], draw: Draw) => Buffer, draw: Draw): DiskFiles {
    const done = this.operations.slice(0, end);
    const namesForced = done.findLastIndex(({ kind }) => kind === 'names-forced');
    const names = new Map<string, number>();
    const changes = done.flatMap((operation, i) => (operation.kind === 'name' ? [{ ...operation.change, i }] : []));
    const [kept, open] = [changes.filter(({ i }) => i < namesForced), changes.filter(({ i }) => i > namesForced)];
    // Names are journaled: those that were not forced are there up to some moment.
    for (const { name, file, from } of [...kept, ...open.slice(0, draw(open.length + 1))]) {
      if (from !== undefined) names.delete(from);
      if (file !== undefined) names.set(name, file);
    }
    return new Map([...names].map(([name, file]) => [name, this.#contentOf(file, done, { keep, draw })]));
  }

  #contentOf(
    file: number,
    done: readonly Operation[],
    { keep, draw }: { keep: (changes: readonly FileChange[], draw: Draw) => Buffer; draw: Draw },
  ): Buffer {
    const forced = done.reduce((upTo, one) => (one.kind === 'forced' && one.file === file ? one.upTo : upTo), 0);
    const isOf = (operation: Operation): boolean => operation.kind === 'change' && operation.change.file === file;
    const changesOf = (some: readonly Operation[]): FileChange[] =>
      some.filter(isOf).map((one) => (one as { readonly change: FileChange }).change);
    const whole = { file, at: 0, bytes: applied(changesOf(done.slice(0, forced))) };
    return keep([whole, ...changesOf(done.slice(forced))], draw);
  }
}

/** Returns the content that changes make of an empty file. */
function applied(changes: readonly FileChange[]): Buffer {
  let content = Buffer.alloc(0);
  for (const change of changes) {
    const length = 'bytes' in change ? Math.max(content.length, change.at + change.bytes.length) : change.length;
    const next = Buffer.alloc(length);
    content.copy(next);
    if ('bytes' in change) change.bytes.copy(next, change.at);
    content = next;
  }
  return content;
}

/** Lists disks by what they keep of changes that they were not forced to keep; the first change they were. */
export const diskModels: Readonly<Record<string, (changes: readonly FileChange[], draw: Draw) => Buffer>> = {
  'keeps nothing': ([first]) => applied(first ? [first] : []),
  'keeps everything': applied,
  'keeps the first changes': (changes, draw) => applied(changes.slice(0, 1 + draw(changes.length))),
  'keeps the length alone': (changes) => {
    const [whole, kept] = [applied(changes), applied(changes.slice(0, 1))];
    const content = Buffer.alloc(whole.length);
    kept.copy(content);
    return content;
  },
  'keeps some pages': (changes, draw) => {
    const [whole, before] = [applied(changes), applied(changes.slice(0, 1))];
    // It is as long as up to some change, and each page is as it was before or as it is at last.
    const content = Buffer.alloc(applied(changes.slice(0, 1 + draw(changes.length))).length);
    for (let at = 0; at < content.length; at += pageLength) {
      const source = draw(2) === 0 ? before : whole;
      content.set(source.subarray(at, Math.min(at + pageLength, content.length)), at);
    }
    return content;
  },
};

/** Writes files to a folder. */
export function writeDisk(folder: string, files: DiskFiles): void {
  for (const [name, content] of files) fs.writeFileSync(join(folder, name), content);
}
