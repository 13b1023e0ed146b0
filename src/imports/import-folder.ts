/** Holds the folder that a tenant's files are put into, and what the batch does with the files. */
import { lstatSync, mkdirSync, readdirSync, realpathSync } from 'node:fs';
import { lstat, readdir, rename, unlink, writeFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { InputError } from '../core/lib/input-error.ts';
import { defaultTenantName } from '../core/tenant/registry.ts';

/** Holds the place of the files, as the service documents it. */
export const importPath = 'integration/transactionImport';

const failedName = 'failed';

/** Describes a file that lies in the folder. */
export interface FolderEntry {
  readonly name: string;
  readonly path: string;
  readonly isFile: boolean;
  readonly bytes: number;
  /** Changes when the file does. */
  readonly version: string;
}

/** Returns the root of a tenant's files: the folder itself, or one below it with the path of the tenant's base URL. */
export const tenantRoot = (folder: string, tenant: string): string =>
  tenant === defaultTenantName ? folder : join(folder, 't', tenant);

export class ImportFolder {
  readonly path: string;
  readonly failedPath: string;

  /** Makes the folder if need be. Throws `InputError` when it can't, or when a link leads out of the root. */
  constructor(root: string) {
    this.path = join(root, importPath);
    this.failedPath = join(this.path, failedName);
    try {
      mkdirSync(this.failedPath, { recursive: true });
      const inside = relative(realpathSync(root), realpathSync(this.failedPath));
      if (inside !== join(importPath, failedName)) throw new Error(`it is a link that leads to ${inside}`);
    } catch (error) {
      throw new InputError(
        `importFolder: ${this.path} can't be used: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }

  /** True when there may be something to import. */
  hasEntries(): boolean {
    try {
      return readdirSync(this.path).some((name) => name !== failedName);
    } catch {
      return false;
    }
  }

  /** Lists what lies in the folder in the order of names; folders are left out. */
  async entries(): Promise<FolderEntry[]> {
    const names = (await readdir(this.path).catch(() => [])).filter((name) => name !== failedName);
    const found = await Promise.all(names.toSorted(byCode).map((name) => this.entry(name)));
    return found.flatMap((entry) => entry ?? []);
  }

  /** Returns what lies under this name, unless it has gone or is a folder. */
  async entry(name: string): Promise<FolderEntry | undefined> {
    const path = join(this.path, name);
    const stats = await lstat(path).catch(() => undefined);
    if (!stats || stats.isDirectory()) return undefined;
    const version = `${stats.ino} ${stats.size} ${stats.mtimeMs}`;
    return { name, path, isFile: stats.isFile(), bytes: stats.size, version };
  }

  /** Puts a file in place, whole at once. Throws `InputError` for a name that leads elsewhere. */
  async drop(name: string, content: string): Promise<number> {
    if (
      name !== basename(name) ||
      name === '' ||
      name === '..' ||
      name === '.' ||
      name === failedName ||
      name.includes('\0')
    ) {
      throw new InputError('must be the name of a file, without a folder');
    }
    const upload = join(this.path, `.${name}.upload`);
    await writeFile(upload, content);
    await rename(upload, join(this.path, name));
    return Buffer.byteLength(content);
  }

  async remove(name: string): Promise<void> {
    await unlink(join(this.path, name));
  }

  /** Moves a refused file aside, with a text that says why. Returns its path below the folder. */
  async keepFailed(name: string, reason: string): Promise<string> {
    mkdirSync(this.failedPath, { recursive: true });
    const kept = this.#freeName(name);
    await rename(join(this.path, name), join(this.failedPath, kept));
    await writeFile(join(this.failedPath, `${kept}.reason.txt`), reason);
    return `${failedName}/${kept}`;
  }

  #freeName(name: string): string {
    for (let count = 1; ; count++) {
      const free = count === 1 ? name : `${name}.${count}`;
      if (!lstatSync(join(this.failedPath, free), { throwIfNoEntry: false })) return free;
    }
  }
}

const byCode = (one: string, other: string): number => (one < other ? -1 : 1);
