import type { HttpBindings } from '@hono/node-server';
import type { Context, MiddlewareHandler } from 'hono';
import type { Exchange } from '../core/journal.ts';
import type { Tenant } from '../core/tenant.ts';

/** What the pipeline's steps hand on to each other. */
interface Variables {
  tenant: Tenant;
  exchange: Exchange;
}

/** Node's request and response are there when the call came through a socket, and not in process. */
export interface Env {
  Variables: Variables;
  Bindings: Partial<HttpBindings>;
}

export type AppContext = Context<Env>;
export type Step = MiddlewareHandler<Env>;

/** The path of a URL as sent, without its query. */
export function pathOf(url: string): string {
  const start = url.indexOf('/', 8);
  if (start < 0) return '/';
  const end = url.slice(start).search(/[?#]/);
  return url.slice(start, end < 0 ? undefined : start + end);
}

/** The query of a URL as sent, without its question mark. */
export function rawQueryOf(url: string): string {
  const start = url.indexOf('?');
  return start < 0 ? '' : url.slice(start + 1);
}

/** Parts a path into the tenant it names (design.md §6), if any, and what is served there. */
export function splitTenant(path: string): { readonly name: string | undefined; readonly served: string } {
  if (!path.startsWith('/t/')) return { name: undefined, served: path };
  const end = path.indexOf('/', 3);
  return { name: path.slice(3, end < 0 ? undefined : end), served: end < 0 ? '/' : path.slice(end) };
}

/** The header of a request, straight from Node where it came through a socket. */
export function headerOf(c: AppContext, name: string): string | undefined {
  const incoming = c.env?.incoming;
  if (!incoming) return c.req.header(name);
  const value = incoming.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
