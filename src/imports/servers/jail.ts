/** Maps the paths of an SFTP or FTP client to files below the import folder, and to no others. */
import { lstat, mkdir, open, readdir, realpath, rename, rmdir, unlink } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { constants } from 'node:fs';
import type { Stats } from 'node:fs';
import { basename, dirname, join, posix, relative, sep } from 'node:path';
import { tenantNamePattern } from '../../core/tenant/registry.ts';
import { maxFileBytes } from '../transactions-file.ts';
import { beginUpload } from '../open-uploads.ts';

/** Hears of what clients do, to tell the tenant of it. */
export interface JailEvents {
  /** Creates the tenant that a path below `/t/<name>` belongs to. */
  readonly onTenant?: ((name: string) => void) | undefined;
  /** Is called before a file is deleted or renamed away. */
  readonly beforeRemoval?: ((path: string) => Promise<void>) | undefined;
  /** Returns after how many bytes an upload breaks, if it does. */
  readonly breakAfter?: ((path: string) => number | undefined) | undefined;
}

/** Describes an error by the code of the file system, as `ENOENT`. */
export class JailError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'JailError';
    this.code = code;
  }
}

/** Tells that a fault ends all connections in the middle of an upload. */
export class ServerGone extends Error {}

export interface Upload {
  readonly write: (data: Buffer, offset: number) => Promise<void>;
  /** Ends the upload; a file that was not completed stays as it is. */
  readonly close: () => Promise<void>;
}

export class Jail {
  readonly #root: string;
  readonly #events: JailEvents;

  constructor(root: string, events: JailEvents = {}) {
    this.#root = root;
    this.#events = events;
  }

  /** Returns the absolute path that a client means, whatever it wrote. */
  normalize(path: string, cwd = '/'): string {
    if (path.includes('\0')) throw new JailError('EINVAL', 'the path holds a NUL character');
    return posix.normalize(posix.resolve('/', cwd, path.replaceAll('\\', '/')));
  }

  /** Returns the file that a path stands for. Throws where a link leads out of the folder. */
  async locate(path: string): Promise<string> {
    const virtual = this.normalize(path);
    const [, below, tenant] = virtual.split('/');
    if (below === 't' && tenant !== undefined && tenantNamePattern.test(tenant)) this.#events.onTenant?.(tenant);
    const file = join(this.#root, ...virtual.split('/'));
    const parent = virtual === '/' ? file : dirname(file);
    const real = await realpath(parent).catch(() => {
      throw new JailError('ENOENT', `there is no folder for ${virtual}`);
    });
    const inside = relative(await realpath(this.#root), real);
    if (inside === '..' || inside.startsWith(`..${sep}`))
      throw new JailError('EACCES', 'a link leads out of the folder');
    return virtual === '/' ? real : join(real, basename(file));
  }

  async stat(path: string): Promise<Stats> {
    const stats = await lstat(await this.locate(path));
    if (stats.isSymbolicLink()) throw new JailError('EACCES', 'links are not followed');
    return stats;
  }

  /** Lists a folder without links. */
  async list(path: string): Promise<{ readonly name: string; readonly stats: Stats }[]> {
    const folder = await this.locate(path);
    const names = await readdir(folder);
    const found = await Promise.all(
      names.map(async (name) => ({ name, stats: await lstat(join(folder, name)).catch(() => undefined) })),
    );
    return found.flatMap(({ name, stats }) => (stats && !stats.isSymbolicLink() ? [{ name, stats }] : []));
  }

  async openToRead(path: string): Promise<FileHandle> {
    return open(await this.locate(path), constants.O_RDONLY | constants.O_NOFOLLOW);
  }

  /** Begins an upload; the batch leaves the file alone until it is closed. */
  async openToWrite(path: string, { isAppending = false } = {}): Promise<Upload> {
    const file = await this.locate(path);
    const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants;
    const release = beginUpload(file);
    const handle = await open(file, O_WRONLY | O_CREAT | O_NOFOLLOW | (isAppending ? 0 : O_TRUNC), 0o644).catch(
      (error: unknown) => {
        release();
        throw error;
      },
    );
    const limit = this.#events.breakAfter?.(file);
    let isOpen = true;
    return {
      write: async (data, offset) => {
        if (offset + data.length > maxFileBytes)
          throw new JailError('EFBIG', `a file holds at most ${maxFileBytes} bytes`);
        if (limit === undefined || offset + data.length <= limit)
          return void (await handle.write(data, 0, data.length, offset));
        if (offset < limit) await handle.write(data, 0, limit - offset, offset);
        throw new ServerGone();
      },
      close: async () => {
        if (!isOpen) return;
        isOpen = false;
        await handle.close();
        release();
      },
    };
  }

  async remove(path: string): Promise<void> {
    const file = await this.locate(path);
    await this.#events.beforeRemoval?.(file);
    await unlink(file);
  }

  async removeFolder(path: string): Promise<void> {
    await rmdir(await this.locate(path));
  }

  async makeFolder(path: string): Promise<void> {
    await mkdir(await this.locate(path));
  }

  /** Renames a file; an upload that is complete gets its name so, and replaces what has it. */
  async move(from: string, to: string): Promise<void> {
    await rename(await this.locate(from), await this.locate(to));
  }
}
