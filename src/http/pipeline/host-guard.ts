import { isIP } from 'node:net';
import { apiError } from '../../service/errors/catalog.ts';
import { headerOf } from '../context.ts';
import type { AppContext, Precondition } from '../context.ts';

const loopbackNames = new Set(['localhost', '127.0.0.1', '::1', '[::1]']);

/** Whether a host name reaches this machine alone. */
export const isLoopback = (host: string): boolean =>
  loopbackNames.has(host.toLowerCase()) || (isIP(host) === 4 && host.startsWith('127.'));

const hostName = (host: string): string => host.replace(/:\d+$/, '').toLowerCase();

function originHost(origin: string): string | undefined {
  try {
    return hostName(new URL(origin).host);
  } catch {
    return undefined;
  }
}

/** The name that a caller reached us by. */
export const hostOf = (c: AppContext, listenHost: string): string => hostName(headerOf(c, 'host') ?? listenHost);

/** Somebody followed a link or typed an address: the page that it stood on sees nothing of the answer. */
const isNavigation = (c: AppContext): boolean => c.req.method === 'GET' && headerOf(c, 'sec-fetch-dest') === 'document';

/** A page in somebody's browser must not be able to drive us: neither across origins nor through a rebound name. */
export function checkOrigin(c: AppContext, allowed: (host: string) => boolean): void {
  const origin = headerOf(c, 'origin');
  if (origin !== undefined) {
    const from = originHost(origin);
    if (from === undefined || !allowed(from))
      throw apiError('Forbidden', { message: `Pages of ${origin} may not call this service.` });
  }
  if (headerOf(c, 'sec-fetch-site') === 'cross-site' && !isNavigation(c)) {
    throw apiError('Forbidden', { message: 'Pages of other sites may not call this service.' });
  }
}

/**
 * Refuses calls that a web page could have sent. On a loopback address the Host header must name this machine
 * too; on any other, callers reach us by names we can't know, and only the control API is strict about them.
 */
export function checkHostAndOrigin(listenHost: string): Precondition {
  const open = !isLoopback(listenHost);
  const allowed = (name: string): boolean => isLoopback(name) || name === listenHost.toLowerCase();
  return function refuseStrangers(c) {
    const host = hostOf(c, listenHost);
    if (!allowed(host) && !open) {
      throw apiError('Forbidden', { message: `The Host "${host}" is not this machine; use 127.0.0.1 or localhost.` });
    }
    checkOrigin(c, (name) => allowed(name) || (open && name === host));
  };
}
