import { createHash, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import { apiError } from '../../service/errors/catalog.ts';
import { headerOf } from '../../http/context.ts';
import type { AppContext, Precondition } from '../../http/context.ts';
import { checkOwnOrigin, hostOf, isLoopback } from '../../http/pipeline/host-guard.ts';

export interface AdminGuardOptions {
  readonly listenHost: string;
  /** Must be sent if it is set; without one, the control API is off on addresses that others can reach. */
  readonly adminKey: string | undefined;
}

/** True for a name that no web site can resolve to this machine: an address, or a name without dots as in a container network. */
const isUnregistrable = (name: string): boolean => isIP(name.replaceAll(/[[\]]/g, '')) > 0 || !name.includes('.');

/** Accepts calls from the user's machine and rejects those of web pages in the user's browser. */
export function guardAdmin({ listenHost, adminKey }: AdminGuardOptions): Precondition {
  const open = !isLoopback(listenHost);
  const isOurs = (name: string): boolean =>
    isLoopback(name) || name === listenHost.toLowerCase() || (open && isUnregistrable(name));
  return function refuseStrangers(c) {
    if (open && adminKey === undefined) {
      const message = `The control API is off: the sim listens on ${listenHost}, where others can reach it, and has no admin key. Start it with --admin-key <key>, or with --host 127.0.0.1.`;
      throw apiError('Forbidden', { message });
    }
    const host = hostOf(c, listenHost);
    if (!isOurs(host)) {
      throw apiError('Forbidden', { message: `The Host "${host}" is not this machine; use 127.0.0.1 or localhost.` });
    }
    checkOwnOrigin(c);
  };
}

/** Throws `Unauthorized` unless the request carries the admin key. */
export function checkAdminKey(c: AppContext, adminKey: string): void {
  const bearer = /^Bearer\s+(.*)$/i.exec(headerOf(c, 'authorization') ?? '')?.[1];
  if (isSame(headerOf(c, 'x-sim-admin-key') ?? bearer ?? '', adminKey)) return;
  throw apiError('Unauthorized', {
    message: 'Send the admin key in the header x-sim-admin-key, or as Authorization: Bearer <key>.',
    headers: { 'www-authenticate': 'Bearer' },
  });
}

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Compares in constant time, so that timing says nothing about the key. */
const isSame = (sent: string, key: string): boolean => timingSafeEqual(digestOf(sent), digestOf(key));
