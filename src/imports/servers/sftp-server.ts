/** Serves the import folder by SFTP. */
import type { FileHandle } from 'node:fs/promises';
import type { Stats } from 'node:fs';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import ssh2 from 'ssh2';
import type { Attributes, Connection, FileEntry, SFTPWrapper } from 'ssh2';
import { fileServerUrl, mayLogIn } from './file-server.ts';
import type { FileServer, SftpServerOptions } from './file-server.ts';
import { loadHostKey } from './host-key.ts';
import { Jail, JailError, ServerGone } from './jail.ts';
import type { Upload } from './jail.ts';

const { Server, utils } = ssh2;
const { OPEN_MODE, STATUS_CODE } = utils.sftp;
/** No client needs more open files at a time. */
const maxHandles = 100;

/** Starts the server, with the host key of the file, or one of its own. */
export async function startSftpServer(options: SftpServerOptions): Promise<FileServer> {
  const hostKey = await loadHostKey(options.hostKeyPath);
  const jail = new Jail(options.root, options);
  const connections = new Set<Connection>();
  const dropAll = (): void => {
    for (const connection of connections) connection.end();
  };
  const server = new Server({ hostKeys: [hostKey] }, (client) => {
    connections.add(client);
    client.on('close', () => connections.delete(client));
    // A client that hangs up, or speaks something else.
    client.on('error', () => {});
    client.on('authentication', (context) => {
      const isOpen = options.user === undefined && options.password === undefined;
      if (context.method === 'password' && mayLogIn(options, { user: context.username, password: context.password })) {
        context.accept();
      } else if (isOpen && context.method === 'none') context.accept();
      else context.reject(['password']);
    });
    client.on('session', (accept) => {
      const session = accept();
      session.on('sftp', (acceptSftp) => new SftpSession(acceptSftp(), jail, dropAll));
    });
  });
  server.on('error', options.onInternalError);
  server.listen(options.port, options.host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: fileServerUrl('sftp', options.host, port),
    close: async () => {
      dropAll();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
}

type OpenFile =
  | { readonly kind: 'read'; readonly file: FileHandle }
  | { readonly kind: 'write'; readonly upload: Upload; readonly path: string }
  | { readonly kind: 'folder'; readonly entries: FileEntry[] };

/** Answers the requests of one session. */
class SftpSession {
  readonly #sftp: SFTPWrapper;
  readonly #jail: Jail;
  readonly #dropAll: () => void;
  readonly #open = new Map<number, OpenFile>();
  #last = 0;

  constructor(sftp: SFTPWrapper, jail: Jail, dropAll: () => void) {
    this.#sftp = sftp;
    this.#jail = jail;
    this.#dropAll = dropAll;
    sftp.on('OPEN', (id, path, flags) => this.#respond(id, () => this.#openFile(id, path, flags)));
    sftp.on('READ', (id, handle, offset, length) =>
      this.#respond(id, () => this.#read(id, handle, { offset, length })),
    );
    sftp.on('WRITE', (id, handle, offset, data) => this.#respond(id, () => this.#write(id, handle, { offset, data })));
    sftp.on('CLOSE', (id, handle) => this.#respond(id, () => this.#close(id, handle)));
    sftp.on('OPENDIR', (id, path) => this.#respond(id, () => this.#openFolder(id, path)));
    sftp.on('READDIR', (id, handle) => this.#respond(id, () => this.#readFolder(id, handle)));
    for (const name of ['STAT', 'LSTAT'] as const) {
      sftp.on(name, (id: number, path: string) =>
        this.#respond(id, async () => sftp.attrs(id, attributesOf(await jail.stat(path)))),
      );
    }
    sftp.on('FSTAT', (id, handle) => this.#respond(id, () => this.#statOpen(id, handle)));
    sftp.on('REALPATH', (id, path) => this.#respond(id, () => this.#realPath(id, path)));
    sftp.on('REMOVE', (id, path) => this.#done(id, () => jail.remove(path)));
    sftp.on('RMDIR', (id, path) => this.#done(id, () => jail.removeFolder(path)));
    sftp.on('MKDIR', (id, path) => this.#done(id, () => jail.makeFolder(path)));
    sftp.on('RENAME', (id, from, to) => this.#done(id, () => jail.move(from, to)));
    // Times and modes are nobody's business here.
    sftp.on('SETSTAT', (id) => sftp.status(id, STATUS_CODE.OK));
    sftp.on('FSETSTAT', (id) => sftp.status(id, STATUS_CODE.OK));
    for (const name of ['READLINK', 'SYMLINK', 'EXTENDED'] as const) {
      sftp.on(name as 'READLINK', (id: number) => sftp.status(id, STATUS_CODE.OP_UNSUPPORTED));
    }
    // A client that has said all that it wanted waits for us to hang up.
    sftp.on('end', () => sftp.end());
    sftp.on('close', () => void this.#closeAll());
  }

  #respond(id: number, work: () => void | Promise<void>): void {
    void (async () => {
      try {
        await work();
      } catch (error) {
        if (error instanceof ServerGone) await this.#vanish();
        else this.#sftp.status(id, statusOf(error), error instanceof JailError ? error.message : undefined);
      }
    })();
  }

  /** Ends all connections; what was written is closed before a client can see that. */
  async #vanish(): Promise<void> {
    await this.#closeAll();
    this.#dropAll();
  }

  #done(id: number, work: () => Promise<void>): void {
    this.#respond(id, async () => {
      await work();
      this.#sftp.status(id, STATUS_CODE.OK);
    });
  }

  async #openFile(id: number, path: string, flags: number): Promise<void> {
    this.#checkHandles();
    if ((flags & OPEN_MODE.WRITE) === 0) {
      this.#handle(id, { kind: 'read', file: await this.#jail.openToRead(path) });
      return;
    }
    const isAppending = (flags & OPEN_MODE.TRUNC) === 0;
    this.#handle(id, { kind: 'write', upload: await this.#jail.openToWrite(path, { isAppending }), path });
  }

  /** Throws before anything is opened that could not be closed by its handle. */
  #checkHandles(): void {
    if (this.#open.size >= maxHandles) throw new JailError('EMFILE', `at most ${maxHandles} files are open at a time`);
  }

  #handle(id: number, opened: OpenFile): void {
    const number = ++this.#last;
    this.#open.set(number, opened);
    const handle = Buffer.alloc(4);
    handle.writeUInt32BE(number);
    this.#sftp.handle(id, handle);
  }

  #opened<Kind extends OpenFile['kind']>(handle: Buffer, kind: Kind): Extract<OpenFile, { kind: Kind }> {
    const found = handle.length === 4 ? this.#open.get(handle.readUInt32BE()) : undefined;
    if (found?.kind !== kind) throw new JailError('EBADF', 'there is no such handle');
    // Its kind was just compared.
    return found as Extract<OpenFile, { kind: Kind }>;
  }

  async #read(id: number, handle: Buffer, { offset, length }: { offset: number; length: number }): Promise<void> {
    const { file } = this.#opened(handle, 'read');
    const buffer = Buffer.alloc(Math.min(length, 256 * 1024));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, offset);
    if (bytesRead === 0) this.#sftp.status(id, STATUS_CODE.EOF);
    else this.#sftp.data(id, buffer.subarray(0, bytesRead));
  }

  async #write(id: number, handle: Buffer, { offset, data }: { offset: number; data: Buffer }): Promise<void> {
    await this.#opened(handle, 'write').upload.write(data, offset);
    this.#sftp.status(id, STATUS_CODE.OK);
  }

  async #close(id: number, handle: Buffer): Promise<void> {
    const number = handle.length === 4 ? handle.readUInt32BE() : 0;
    const opened = this.#open.get(number);
    if (!opened) throw new JailError('EBADF', 'there is no such handle');
    this.#open.delete(number);
    await closeFile(opened);
    this.#sftp.status(id, STATUS_CODE.OK);
  }

  async #closeAll(): Promise<void> {
    const files = [...this.#open.values()];
    this.#open.clear();
    await Promise.allSettled(files.map(closeFile));
  }

  async #openFolder(id: number, path: string): Promise<void> {
    this.#checkHandles();
    const entries = await this.#jail.list(path);
    this.#handle(id, { kind: 'folder', entries: entries.map(entryOf) });
  }

  #readFolder(id: number, handle: Buffer): void {
    const { entries } = this.#opened(handle, 'folder');
    const some = entries.splice(0, 100);
    if (some.length === 0) this.#sftp.status(id, STATUS_CODE.EOF);
    else this.#sftp.name(id, some);
  }

  async #statOpen(id: number, handle: Buffer): Promise<void> {
    const opened = handle.length === 4 ? this.#open.get(handle.readUInt32BE()) : undefined;
    if (opened?.kind === 'read') this.#sftp.attrs(id, attributesOf(await opened.file.stat()));
    else if (opened?.kind === 'write') this.#sftp.attrs(id, attributesOf(await this.#jail.stat(opened.path)));
    else throw new JailError('EBADF', 'there is no such handle');
  }

  async #realPath(id: number, path: string): Promise<void> {
    const filename = this.#jail.normalize(path);
    // A tenant is created by the first look at its folder.
    await this.#jail.locate(filename).catch(() => undefined);
    this.#sftp.name(id, [{ filename, longname: filename, attrs: noAttributes }]);
  }
}

const closeFile = async (opened: OpenFile): Promise<void> => {
  if (opened.kind === 'read') await opened.file.close();
  if (opened.kind === 'write') await opened.upload.close();
};

const codes: Readonly<Record<string, number>> = {
  ENOENT: STATUS_CODE.NO_SUCH_FILE,
  ENOTDIR: STATUS_CODE.NO_SUCH_FILE,
  EACCES: STATUS_CODE.PERMISSION_DENIED,
  EPERM: STATUS_CODE.PERMISSION_DENIED,
  ELOOP: STATUS_CODE.PERMISSION_DENIED,
};

const statusOf = (error: unknown): number =>
  (error instanceof Error && 'code' in error ? codes[String(error.code)] : undefined) ?? STATUS_CODE.FAILURE;

const noAttributes: Attributes = { mode: 0, uid: 0, gid: 0, size: 0, atime: 0, mtime: 0 };

const attributesOf = ({ mode, size, atimeMs, mtimeMs }: Stats): Attributes => ({
  mode,
  uid: 0,
  gid: 0,
  size,
  atime: Math.floor(atimeMs / 1000),
  mtime: Math.floor(mtimeMs / 1000),
});

const entryOf = ({ name, stats }: { readonly name: string; readonly stats: Stats }): FileEntry => ({
  filename: name,
  longname: `${stats.isDirectory() ? 'd' : '-'}rw-r--r-- 1 sim sim ${stats.size} Jan 1 00:00 ${name}`,
  attrs: attributesOf(stats),
});
