import { createHash, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import { apiError } from '../../service/errors/catalog.ts';
import { headerOf } from '../../http/context.ts';
import type { AppContext, Precondition } from '../../http/context.ts';
import { checkOrigin, hostOf, isLoopback } from '../../http/pipeline/host-guard.ts';

export interface AdminGuardOptions {
  readonly listenHost: string;
  /** Always asked for when there is one; without, the control API is off where others can reach it. */
  readonly adminKey: string | undefined;
}

/** A name that nobody else can have pointed at us: an address, or one without dots, as in a container network. */
const isUnregistrable = (name: string): boolean => isIP(name.replaceAll(/[[\]]/g, '')) > 0 || !name.includes('.');

/** Lets in calls from where the sim's user is, and from no web page in the user's browser (design.md §7). */
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
    checkOrigin(c, (name) => isLoopback(name) || name === host);
  };
}

/** Lets in who may drive the sim. */
export function checkAdminKey(c: AppContext, adminKey: string): void {
  const bearer = /^Bearer\s+(.*)$/i.exec(headerOf(c, 'authorization') ?? '')?.[1];
  if (isSame(headerOf(c, 'x-sim-admin-key') ?? bearer ?? '', adminKey)) return;
  throw apiError('Unauthorized', {
    message: 'Send the admin key in the header x-sim-admin-key, or as Authorization: Bearer <key>.',
    headers: { 'www-authenticate': 'Bearer' },
  });
}

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Takes as long for any wrong key. */
const isSame = (sent: string, key: string): boolean => timingSafeEqual(digestOf(sent), digestOf(key));
