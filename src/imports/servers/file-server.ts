/** Holds what SFTP and FTP servers have in common. */
import { timingSafeEqual } from 'node:crypto';
import type { JailEvents } from './jail.ts';

export interface FileServerOptions extends JailEvents {
  readonly root: string;
  readonly host: string;
  readonly port: number;
  /** Holds who may log in (default: anybody). */
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  readonly onInternalError: (error: unknown) => void;
}

export interface SftpServerOptions extends FileServerOptions {
  /** Names the file that keeps the host key (default: a new key at every start). */
  readonly hostKeyPath?: string | undefined;
}

export interface FileServer {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** True when a user may log in; what was not set is not asked for. */
export function mayLogIn(
  { user, password }: Pick<FileServerOptions, 'user' | 'password'>,
  given: { readonly user: string; readonly password: string },
): boolean {
  const isUser = user === undefined || isSame(user, given.user);
  return (password === undefined || isSame(password, given.password)) && isUser;
}

/** Takes the same time for any text of the right length. */
function isSame(wanted: string, given: string): boolean {
  const [one, other] = [Buffer.from(wanted), Buffer.from(given)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** Returns the address of a server for a person. */
export const fileServerUrl = (scheme: 'sftp' | 'ftp', host: string, port: number): string =>
  `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`;
