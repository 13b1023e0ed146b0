/** Accepts requests of programs, and rejects those of web pages in a browser. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { pointMasterError } from '../errors.ts';

export interface PointMasterAccess {
  readonly listenHost: string;
  /** Sets the key that control requests need; without one they are off where others can reach the host. */
  readonly adminKey: string | undefined;
}

const loopbackNames = new Set(['localhost', '127.0.0.1', '::1', '[::1]']);

/** True when a host name reaches only this machine. */
const isLoopback = (host: string): boolean =>
  loopbackNames.has(host.toLowerCase()) || (isIP(host) === 4 && host.startsWith('127.'));

const hostWithoutPort = (host: string): string => host.replace(/:\d+$/, '').toLowerCase();

/** Throws a `PointMasterError` for a request that a page may have sent, across origins or by DNS rebinding. */
export function checkRequestOrigin(headers: IncomingHttpHeaders, { listenHost }: PointMasterAccess): void {
  const host = hostWithoutPort(headers.host ?? listenHost);
  const isOpen = !isLoopback(listenHost);
  const isOurs = (name: string): boolean => isLoopback(name) || name === listenHost.toLowerCase();
  if (!isOurs(host) && !isOpen) {
    throw pointMasterError('Forbidden', `The Host "${host}" is not this machine; use 127.0.0.1 or localhost.`);
  }
  const { origin } = headers;
  if (origin !== undefined && !isOurs(originHost(origin) ?? '')) {
    throw pointMasterError('Forbidden', `Pages of ${origin} may not call this point master.`);
  }
  if (headers['sec-fetch-site'] === 'cross-site') {
    throw pointMasterError('Forbidden', 'Pages of other sites may not call this point master.');
  }
}

function originHost(origin: string): string | undefined {
  return URL.canParse(origin) ? hostWithoutPort(new URL(origin).host) : undefined;
}

/** Throws a `PointMasterError` for a control request without the right key. */
export function authenticateAdmin(headers: IncomingHttpHeaders, { listenHost, adminKey }: PointMasterAccess): void {
  if (adminKey === undefined) {
    if (isLoopback(listenHost)) return;
    const message = `Only the contract is served here, since others can reach ${listenHost}; start the master with --admin-key <key>, or with --host 127.0.0.1.`;
    throw pointMasterError('Forbidden', message);
  }
  const sent = headers['x-sim-admin-key']?.toString() ?? '';
  if (timingSafeEqual(digestOf(sent), digestOf(adminKey))) return;
  throw pointMasterError('Unauthorized', 'Send the admin key in the header x-sim-admin-key.');
}

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();
