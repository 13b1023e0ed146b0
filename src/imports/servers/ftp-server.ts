/** Serves the import folder by FTP, in passive mode. */
import type { Stats } from 'node:fs';
import type { AddressInfo, Server, Socket } from 'node:net';
import { Writable } from 'node:stream';
import ftp from 'ftp-srv';
import type { FtpConnection, FtpServer } from 'ftp-srv';
import { fileServerUrl, mayLogIn } from './file-server.ts';
import type { FileServer, FileServerOptions } from './file-server.ts';
import { Jail, JailError, ServerGone } from './jail.ts';
import type { Upload } from './jail.ts';

/** Active mode would let a client point us at any host. */
const refusedCommands = ['PORT', 'EPRT', 'SITE', 'AUTH', 'PBSZ', 'PROT', 'STOU'];
const passivePorts = { pasv_min: 20_000, pasv_max: 32_000 };
const idleTimeout = 120_000;
const signals = ['SIGTERM', 'SIGINT', 'SIGQUIT'] as const;

/** Hears nothing: the library's log would hold what clients send. */
const silentLog = {
  child: () => silentLog,
  trace: () => {},
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
};

/** Shows the parts of the library that its types leave out. */
interface FtpInternals {
  readonly server: Server;
  readonly connections: Readonly<Record<string, { readonly commandSocket: Socket }>>;
}

export async function startFtpServer(options: FileServerOptions): Promise<FileServer> {
  const jail = new Jail(options.root, options);
  const address = fileServerUrl('ftp', options.host, options.port);
  const { server, internals } = withoutSignals(
    () =>
      new ftp.FtpSrv({
        url: address,
        pasv_url: options.host,
        ...passivePorts,
        blacklist: refusedCommands,
        timeout: idleTimeout,
        log: silentLog,
      }),
  );
  const dropAll = (): void => {
    for (const { commandSocket } of Object.values(internals.connections)) commandSocket.destroy();
  };
  server.on('login', ({ connection, username, password }, resolve, reject) => {
    if (!mayLogIn(options, { user: username, password })) return reject(new Error('wrong user or password'));
    // The library asks for its own class, and calls these methods alone.
    return resolve({ fs: new FtpFiles(jail, connection, dropAll) as never });
  });
  server.on('client-error', () => {});
  await server.listen();
  const { port } = internals.server.address() as AddressInfo;
  return {
    url: fileServerUrl('ftp', options.host, port),
    close: async () => {
      dropAll();
      await new Promise<void>((resolve) => void internals.server.close(() => resolve()));
    },
  };
}

/** The library ends the process at a signal, which is ours to do. */
function withoutSignals(create: () => FtpServer): { readonly server: FtpServer; readonly internals: FtpInternals } {
  const before = signals.map((signal) => process.listeners(signal));
  const server = create();
  for (const [i, signal] of signals.entries()) {
    for (const listener of process.listeners(signal)) {
      if (!before[i]?.includes(listener)) process.removeListener(signal, listener);
    }
  }
  return { server, internals: server as unknown as FtpInternals };
}

/** Does the file commands of one connection. */
class FtpFiles {
  readonly #jail: Jail;
  readonly #connection: FtpConnection;
  readonly #dropAll: () => void;
  #cwd = '/';

  constructor(jail: Jail, connection: FtpConnection, dropAll: () => void) {
    this.#jail = jail;
    this.#connection = connection;
    this.#dropAll = dropAll;
  }

  currentDirectory(): string {
    return this.#cwd;
  }

  async get(name: string): Promise<Stats & { name: string }> {
    return Object.assign(await this.#jail.stat(this.#at(name)), { name });
  }

  async list(path = '.'): Promise<(Stats & { name: string })[]> {
    const stats = await this.#jail.stat(this.#at(path));
    if (!stats.isDirectory()) return [Object.assign(stats, { name: path })];
    return (await this.#jail.list(this.#at(path))).map(({ name, stats: of }) => Object.assign(of, { name }));
  }

  async chdir(path = '.'): Promise<string> {
    const folder = this.#at(path);
    // A tenant is created by the first look at its folder.
    if (!(await this.#jail.stat(folder)).isDirectory()) throw new JailError('ENOTDIR', 'is no folder');
    this.#cwd = folder;
    return folder;
  }

  async write(name: string, { append: isAppending = false, start }: { append?: boolean; start?: number } = {}) {
    const path = this.#at(name);
    const offset = isAppending ? ((await this.#jail.stat(path).catch(() => undefined))?.size ?? 0) : (start ?? 0);
    const upload = await this.#jail.openToWrite(path, { isAppending: isAppending || start !== undefined });
    const stream = uploadStream({ upload, offset, onGone: this.#dropAll });
    // A client that goes away in the middle ends the upload.
    (this.#connection as unknown as { commandSocket: Socket }).commandSocket.once('close', () => stream.destroy());
    return { stream, clientPath: path };
  }

  async read(name: string, { start }: { start?: number } = {}) {
    const file = await this.#jail.openToRead(this.#at(name));
    return { stream: file.createReadStream(start === undefined ? {} : { start }), clientPath: this.#at(name) };
  }

  async delete(name: string): Promise<void> {
    const path = this.#at(name);
    if ((await this.#jail.stat(path)).isDirectory()) await this.#jail.removeFolder(path);
    else await this.#jail.remove(path);
  }

  async mkdir(name: string): Promise<string> {
    await this.#jail.makeFolder(this.#at(name));
    return this.#at(name);
  }

  async rename(from: string, to: string): Promise<void> {
    await this.#jail.move(this.#at(from), this.#at(to));
  }

  /** Modes are nobody's business here. */
  async chmod(): Promise<void> {}

  #at(path: string): string {
    return this.#jail.normalize(path, this.#cwd);
  }
}

interface UploadStreamOptions {
  readonly upload: Upload;
  readonly offset: number;
  readonly onGone: () => void;
}

function uploadStream({ upload, offset, onGone }: UploadStreamOptions): Writable {
  let at = offset;
  return new Writable({
    write: (data: Buffer, _encoding, callback) => {
      upload.write(data, at).then(
        () => callback(),
        (error: Error) => {
          if (error instanceof ServerGone) onGone();
          callback(error);
        },
      );
      at += data.length;
    },
    final: (callback) => void upload.close().then(() => callback(), callback),
    destroy: (error, callback) => void upload.close().then(() => callback(error), callback),
  });
}
