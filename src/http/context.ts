import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Context, MiddlewareHandler } from 'hono';
import type { DeliveredResponse, InjectedFault } from '../core/exchange/fault.ts';
import type { Exchange } from '../core/exchange/exchange.ts';
import type { Tenant } from '../core/tenant/tenant.ts';

/** What the pipeline's steps hand on to each other. */
interface Variables {
  tenant: Tenant;
  exchange: Exchange;
  /** The request's body, when it was read before its endpoint was reached. */
  sentBody: Promise<string> | undefined;
}

/** A fault that befalls a call, for the transport to carry out. */
export interface PendingFault {
  readonly fired: InjectedFault;
  /** Aborted when the call is to be held up no longer: its connection is closed. */
  readonly released: AbortSignal;
  /** So many bytes of garbage. */
  readonly garbage: (count: number) => Uint8Array;
  /** To be told when the caller hangs up while the call is still held up. */
  readonly onClientGone: () => void;
}

/** What the pipeline and the transport hand each other. */
interface Bindings {
  /** Node's request and response: there when the call came through a socket, and not in process. */
  incoming?: IncomingMessage;
  outgoing?: ServerResponse;
  /** Told of a fault as soon as it is decided: the caller may hang up while it holds the call up. */
  onFaultDecided?: (delivery: PendingFault) => void;
  /** Set by the pipeline: notes what became of an answer that didn't go out as it was made. */
  onDelivered?: (delivered: DeliveredResponse) => void;
}

export interface Env {
  Variables: Variables;
  Bindings: Bindings;
}

export type AppContext = Context<Env>;
export type Middleware = MiddlewareHandler<Env>;

/** Looks at a call before its endpoint is reached; throws a refusal to turn it away. */
export type Precondition = (c: AppContext) => void;

/** Path and query as they were sent. Node has them at hand; a web request keeps them inside its URL. */
function pathAndQuery(request: Request, env: Bindings | undefined): string {
  const sent = env?.incoming?.url;
  if (sent?.startsWith('/')) return sent;
  const { url } = request;
  const start = url.indexOf('/', url.indexOf('//') + 2);
  return start < 0 ? '/' : url.slice(start);
}

export const urlOf = (c: AppContext): string => pathAndQuery(c.req.raw, c.env);

/** The path as sent, without its query. */
export function pathOf(url: string): string {
  const end = url.search(/[?#]/);
  return end < 0 ? url : url.slice(0, end);
}

/** The query as sent, without its question mark. */
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

/** The path that routes are found by. */
export const servedPath = (request: Request, options?: { readonly env?: Env['Bindings'] }): string =>
  splitTenant(pathOf(pathAndQuery(request, options?.env))).served;

/** The header of a request, straight from Node where it came through a socket. */
export function headerOf(c: AppContext, name: string): string | undefined {
  const incoming = c.env?.incoming;
  if (!incoming) return c.req.header(name);
  const value = incoming.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
