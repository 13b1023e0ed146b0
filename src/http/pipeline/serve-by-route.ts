/**
 * Serves a request by the handler of its route, without what Hono makes for each request that may go through several: its
 * context creates a dozen functions, which took a tenth of the memory that a small request needs.
 */
import type { Hono } from 'hono';
import { HonoRequest } from 'hono/request';
import type { Router } from 'hono/router';
import type { RouterRoute } from 'hono/types';
import { servedPath } from '../context.ts';
import type { AppContext, Env, Handler, Variables } from '../context.ts';

/** Is a route as Hono adds it to its router. */
export type Route = [Handler, RouterRoute];

/** Holds what the steps of the pipeline read of a request, and hand on to each other. */
class RoutedContext implements AppContext {
  readonly req: HonoRequest;
  readonly env: Env['Bindings'] | undefined;
  #tenant: Variables['tenant'] | undefined;
  #exchange: Variables['exchange'] | undefined;
  #bodyText: Variables['bodyText'];

  constructor(req: HonoRequest, env: Env['Bindings'] | undefined) {
    this.req = req;
    this.env = env;
  }

  get<Name extends keyof Variables>(name: Name): Variables[Name];
  get(name: keyof Variables): unknown {
    if (name === 'exchange') return this.#exchange;
    return name === 'tenant' ? this.#tenant : this.#bodyText;
  }

  set<Name extends keyof Variables>(name: Name, value: Variables[Name]): void;
  set(name: keyof Variables, value: never): void {
    if (name === 'exchange') this.#exchange = value;
    else if (name === 'tenant') this.#tenant = value;
    else this.#bodyText = value;
  }
}

interface RoutedApp {
  /** Is Hono's own: serves what has no route, and HEAD, which Hono makes of GET. */
  readonly fetch: Hono<Env>['fetch'];
  /** Holds the routes; the first that fits serves a request. */
  readonly router: Router<Route>;
  readonly respondToError: (error: unknown, c: AppContext) => Response;
}

/** Responds to a request by its route, or as Hono does where there is none. */
export function serveByRoute(
  request: Request,
  env: Env['Bindings'] | undefined,
  { fetch, router, respondToError }: RoutedApp,
): Response | Promise<Response> {
  if (request.method === 'HEAD') return fetch(request, env);
  const path = servedPath(request, { env });
  const found = router.match(request.method, path);
  const route = found[0][0]?.[0];
  if (!route) return fetch(request, env);
  const c = new RoutedContext(new HonoRequest(request, path, found as never), env);
  try {
    const response = route[0](c);
    return response instanceof Promise ? response.catch((error: unknown) => respondToError(error, c)) : response;
  } catch (error) {
    return respondToError(error, c);
  }
}
