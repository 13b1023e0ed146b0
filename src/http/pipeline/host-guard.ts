import { isIP } from 'node:net';
import { apiError } from '../../service/errors/catalog.ts';
import { headerOf } from '../context.ts';
import type { AppContext, Precondition } from '../context.ts';

const loopbackNames = new Set(['localhost', '127.0.0.1', '::1', '[::1]']);

/** True when a host name reaches this machine alone. */
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

/** Returns the host name that the client used to reach us. */
export const hostOf = (c: AppContext, listenHost: string): string => hostName(headerOf(c, 'host') ?? listenHost);

/** True when a person followed a link or typed an address: the page with the link cannot read the response. */
const isNavigation = (c: AppContext): boolean => c.req.method === 'GET' && headerOf(c, 'sec-fetch-dest') === 'document';

/**
 * Rejects requests of web pages from other origins, those of other programs on this machine included, so that no page in a
 * browser but our own can control the simulator.
 */
export function checkOwnOrigin(c: AppContext): void {
  const origin = headerOf(c, 'origin');
  const ours = headerOf(c, 'host')?.toLowerCase();
  if (origin !== undefined && (!URL.canParse(origin) || new URL(origin).host !== ours)) {
    throw apiError('Forbidden', {
      message: `Pages of ${origin} may not call the control API; only its own pages may.`,
    });
  }
  const from = headerOf(c, 'sec-fetch-site');
  if (from !== undefined && !['same-origin', 'none'].includes(from) && !isNavigation(c)) {
    throw apiError('Forbidden', { message: 'Pages of other sites and ports may not call the control API.' });
  }
}

/** Rejects requests of web pages of other machines. A page of this machine may be the web shop that is developed here. */
function checkOrigin(c: AppContext, allowed: (host: string) => boolean): void {
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
 * Rejects requests that a web page could have sent. On a loopback address, the Host header must name this machine, so
 * that no rebound DNS name gets in. On other addresses, clients use names that we can't know.
 */
export function checkHostAndOrigin(listenHost: string): Precondition {
  const isPublic = !isLoopback(listenHost);
  const allowed = (name: string): boolean => isLoopback(name) || name === listenHost.toLowerCase();
  return function checkHost(c) {
    const host = hostOf(c, listenHost);
    if (!allowed(host) && !isPublic) {
      throw apiError('Forbidden', { message: `The Host "${host}" is not this machine; use 127.0.0.1 or localhost.` });
    }
    checkOrigin(c, (name) => allowed(name) || (isPublic && name === host));
  };
}
