import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HonoRequest } from 'hono';
import type { DeliveredResponse, InjectedFault } from '../core/exchange/fault.ts';
import type { Exchange } from '../core/exchange/exchange.ts';
import type { Tenant } from '../core/tenant/tenant.ts';
import { withoutTrailingSlash } from '../core/exchange/path-template.ts';

/** Holds what the pipeline's steps hand on to each other. */
export interface Variables {
  tenant: Tenant;
  exchange: Exchange;
  /** Holds the request's body, when a fault rule read it before the endpoint. */
  bodyText: Promise<string> | undefined;
}

/** Describes the fault that hits a request, for the transport to carry out. */
export interface PendingFault {
  readonly fired: InjectedFault;
  /** Aborts when the request is held no longer: its connection is closed. */
  readonly released: AbortSignal;
  /** Returns so many bytes of garbage. */
  readonly garbage: (count: number) => Uint8Array;
  /** Must be called when the client disconnects while the request is still held, or left hanging. */
  readonly onClientGone: () => void;
}

export interface ResponseHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** Holds what the pipeline and the transport hand each other. */
interface Bindings {
  /** Holds Node's request, as `outgoing` holds its response; undefined in process. */
  incoming?: IncomingMessage;
  outgoing?: ServerResponse;
  /** Creates the response that its transport writes (default: a web Response). */
  createResponse?: (text: string, init: ResponseHead, bytes?: string) => Response;
  /** Receives a fault as soon as it is selected: the client may disconnect while it holds the request. */
  onFaultDecided?: (pendingFault: PendingFault) => void;
  /** Records what the client got, where that is not the whole response; the pipeline sets it. */
  onDelivered?: (delivered: DeliveredResponse) => void;
  /** Notes the moment when a whole response goes out, which the transport may put off; the pipeline sets it. */
  onWrite?: () => void;
}

export interface Env {
  Variables: Variables;
  Bindings: Bindings;
}

/** Describes a request on its way through the pipeline, as Hono's own context does: what the steps read of it, and hand on. */
export interface AppContext {
  readonly req: HonoRequest;
  readonly env: Bindings | undefined;
  readonly get: <Name extends keyof Variables>(name: Name) => Variables[Name];
  readonly set: <Name extends keyof Variables>(name: Name, value: Variables[Name]) => void;
}

/** Responds to a request; a step of the pipeline makes one handler of the next one. */
export type Handler = (c: AppContext) => Response | Promise<Response>;

/** Checks a request before its endpoint is reached; throws an `ApiError` to reject it. */
export type Precondition = (c: AppContext) => void;

/** Returns path and query as sent: Node has them at hand, a web request keeps them in its URL. */
function pathAndQuery(request: Request, env: Bindings | undefined): string {
  const sent = env?.incoming?.url;
  if (sent?.startsWith('/')) return sent;
  const { url } = request;
  const start = url.indexOf('/', url.indexOf('//') + 2);
  return start < 0 ? '/' : url.slice(start);
}

export const urlOf = (c: AppContext): string => pathAndQuery(c.req.raw, c.env);

/** Returns the path as sent, without its query. */
export function pathOf(url: string): string {
  const end = url.search(/[?#]/);
  return end < 0 ? url : url.slice(0, end);
}

/** Returns the query as sent, without its question mark. */
export function rawQueryOf(url: string): string {
  const start = url.indexOf('?');
  return start < 0 ? '' : url.slice(start + 1);
}

/** Splits a path into the tenant it names, if any, and the path that is served there. */
export function splitTenant(path: string): { readonly name: string | undefined; readonly served: string } {
  if (!path.startsWith('/t/')) return { name: undefined, served: path };
  const end = path.indexOf('/', 3);
  return { name: path.slice(3, end < 0 ? undefined : end), served: end < 0 ? '/' : path.slice(end) };
}

/** Returns the path as sent, without the tenant that it names. */
export const sentPath = (request: Request, options?: { readonly env?: Bindings | undefined }): string =>
  splitTenant(pathOf(pathAndQuery(request, options?.env))).served;

/** Returns the path by which a route of the service is found: a slash at its end makes no difference. */
export function servedPath(request: Request, options?: { readonly env?: Bindings | undefined }): string {
  const sent = sentPath(request, options);
  return sent.startsWith('/__admin') ? sent : withoutTrailingSlash(sent);
}

/** True for the path of a call to the control API, whatever tenant it names. */
export const isControlPath = (path: string): boolean => /^\/__admin(?:\/|$)/.test(splitTenant(path).served);

/** Returns a header of the request, straight from Node where it came through a socket. */
export function headerOf(c: AppContext, name: string): string | undefined {
  const incoming = c.env?.incoming;
  if (!incoming) return c.req.header(name);
  const value = incoming.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
