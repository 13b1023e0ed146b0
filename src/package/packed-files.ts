/** Reads the files of the package from one block of bytes, as an executable has them, by the names that they have in it. */
import type * as FileSystem from 'node:fs';
import { join, relative, sep } from 'node:path';

/** Holds start and length of each file, by its path in the package, with slashes. */
export type PackedIndex = Readonly<Record<string, readonly [start: number, length: number]>>;

export interface PackedFiles {
  readonly names: readonly string[];
  readonly has: (name: string) => boolean;
  readonly read: (name: string) => Buffer;
}

/** Opens a block of files. Nothing is copied. */
export function openPacked(index: PackedIndex, block: ArrayBuffer): PackedFiles {
  return {
    names: Object.keys(index),
    has: (name) => Object.hasOwn(index, name),
    read: (name) => {
      const [start, length] = index[name] ?? [0, 0];
      return Buffer.from(block, start, length);
    },
  };
}

/**
 * Returns the module `fs` with the files of the package in a folder that no disk has. Only what the package reads of
 * itself works there; all other paths go to the disk.
 */
export function withPackedFolder(fs: typeof FileSystem, folder: string, files: PackedFiles): typeof FileSystem {
  const nameOf = (path: unknown): string | undefined => {
    if (typeof path !== 'string') return undefined;
    if (path === folder) return '';
    return path.startsWith(folder + sep) ? relative(folder, path).replaceAll(sep, '/') : undefined;
  };
  const isFolder = (name: string): boolean => name === '' || files.names.some((one) => one.startsWith(`${name}/`));

  function readdirSync(name: string, isRecursive: boolean): string[] {
    const below = files.names.filter((one) => name === '' || one.startsWith(`${name}/`));
    const rests = below.map((one) => (name === '' ? one : one.slice(name.length + 1)));
    const found = rests.map((rest) => (isRecursive ? rest.replaceAll('/', sep) : (rest.split('/')[0] ?? '')));
    return [...new Set(found)].toSorted();
  }

  /** Describes our own executable, or its folder, but for the size. */
  function statSync(name: string): FileSystem.Stats {
    const stats = fs.statSync(isFolder(name) ? join(folder, '..', '..') : join(folder, '..'));
    if (files.has(name)) stats.size = files.read(name).length;
    return stats;
  }

  const own: Record<string, (path: unknown, options?: unknown) => unknown> = {
    existsSync: (path) => files.has(nameOf(path) ?? '') || isFolder(nameOf(path) ?? ''),
    readFileSync: (path, options) => {
      const name = nameOf(path) ?? '';
      if (!files.has(name)) throw missing(path);
      const encoding = typeof options === 'string' ? options : encodingOf(options);
      const bytes = files.read(name);
      return encoding === undefined ? Buffer.from(bytes) : bytes.toString(encoding as BufferEncoding);
    },
    statSync: (path, options) => {
      const name = nameOf(path) ?? '';
      if (files.has(name) || isFolder(name)) return statSync(name);
      if (flagOf(options, 'throwIfNoEntry') === false) return undefined;
      throw missing(path);
    },
    readdirSync: (path, options) => {
      const name = nameOf(path) ?? '';
      if (!isFolder(name)) throw missing(path);
      return readdirSync(name, flagOf(options, 'recursive') === true);
    },
  };

  const wrapped = Object.defineProperties({}, Object.getOwnPropertyDescriptors(fs)) as Record<string, unknown>;
  for (const [call, read] of Object.entries(own)) {
    const onDisk = fs[call as keyof typeof fs] as (...args: unknown[]) => unknown;
    wrapped[call] = (path: unknown, ...options: unknown[]) =>
      nameOf(path) === undefined ? onDisk(path, ...options) : read(path, ...options);
  }
  return wrapped as unknown as typeof FileSystem;
}

const missing = (path: unknown): Error =>
  Object.assign(new Error(`ENOENT: no such file or directory, '${String(path)}'`), { code: 'ENOENT' });

const flagOf = (options: unknown, name: string): unknown =>
  typeof options === 'object' && options !== null && name in options ? Reflect.get(options, name) : undefined;

const encodingOf = (options: unknown): string | undefined => {
  const encoding = flagOf(options, 'encoding');
  return typeof encoding === 'string' ? encoding : undefined;
};
