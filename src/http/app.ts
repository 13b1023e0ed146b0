import { Hono } from 'hono';
import type { Endpoint } from '../core/exchange/endpoint.ts';
import { ApiError } from '../core/exchange/api-error.ts';
import { bySpecificity, toRouterPath } from '../core/exchange/path-template.ts';
import { apiError } from '../service/errors/catalog.ts';
import { servedPath } from './context.ts';
import type { AppContext, Env, Handler } from './context.ts';
import { recordExchange } from './pipeline/exchange.ts';
import { checkHostAndOrigin } from './pipeline/host-guard.ts';
import { authenticate } from './pipeline/tenant-resolution.ts';
import type { TenancyOptions } from './pipeline/tenant-resolution.ts';
import {
  checkPreconditions,
  checkTrailingSlash,
  limitRate,
  requireUserAgent,
  warnMethodOverride,
  warnMissingKey,
} from './pipeline/preconditions.ts';
import { withFaults } from './pipeline/fault-injection.ts';
import { createEndpointHandler } from './pipeline/endpoint-handler.ts';
import { TenantScope } from './pipeline/request-scope.ts';
import { RecentRouter } from './pipeline/recent-router.ts';
import { serveByRoute } from './pipeline/serve-by-route.ts';
import type { Route } from './pipeline/serve-by-route.ts';
import { unknownRouteError } from './pipeline/route-suggestions.ts';
import { sendApiError } from './pipeline/response.ts';
import { respondWhenSaved } from './pipeline/when-saved.ts';
import type { WhenSaved } from './pipeline/when-saved.ts';

interface AppOptions extends TenancyOptions {
  readonly endpoints: readonly Endpoint[];
  /** Serves what is under /__admin; loaded with the first request to it. */
  readonly adminApp: () => Promise<Hono<Env>>;
  readonly listenHost: string;
  readonly whenSaved?: WhenSaved | undefined;
  /** Receives errors that should never happen; the client gets a 500. */
  readonly onInternalError: (error: unknown) => void;
}

/** Creates the service over HTTP, in process or behind a socket: each request takes these steps, in this order. */
export function createApp(options: AppOptions): Hono<Env> {
  const { endpoints, adminApp, listenHost, whenSaved, onInternalError, ...tenancy } = options;
  // Hono's own choice comes to the same router, after another one has failed at our paths during the first request.
  const router = new RecentRouter<Route>();
  const app = new Hono<Env>({ getPath: servedPath, router });
  const hostGuard = checkHostAndOrigin(listenHost);
  const respondToError = (error: unknown, c: AppContext): Response => {
    if (error instanceof ApiError) return sendApiError(c, error);
    onInternalError(error);
    return sendApiError(c, apiError('InternalError'));
  };

  // The control API is no part of the service: it has steps of its own.
  app.all('/__admin/*', async (c) => (await adminApp()).fetch(c.req.raw, c.env));
  // 1. Resolve the tenant and open an exchange in its journal; close it with what the client really got.
  const record = recordExchange({ tenancy, guard: hostGuard, respondToError });
  // 2. Reject requests that no endpoint should see.
  const check = checkPreconditions([
    hostGuard,
    authenticate(tenancy),
    limitRate(),
    requireUserAgent(),
    warnMissingKey(),
    warnMethodOverride(),
    checkTrailingSlash(endpoints),
  ]);
  // 3. Select a fault: in phase `before`, step 4 commits nothing; in phase `after`, only its response suffers.
  // 4. Validate the input, execute the operation, respond.
  const steps = (serve: Handler, endpoint?: Endpoint): Handler =>
    record(check(withFaults({ serve, respondToError, endpoint })), endpoint !== undefined);
  // One handler for each route: Hono calls it directly, where a chain of its middleware costs promises at every step.
  for (const endpoint of endpoints.toSorted((a, b) => bySpecificity(a.path, b.path))) {
    const handler = createEndpointHandler(endpoint, (c) => new TenantScope(c, endpoint));
    const serve = respondWhenSaved(handler, whenSaved);
    const paths = [endpoint.path, ...(endpoint.aliases ?? [])].map(toRouterPath);
    app.on(endpoint.method, paths, steps(serve, endpoint));
  }
  app.notFound(steps((c) => sendApiError(c, unknownRouteError(c, endpoints))));
  app.onError(respondToError);
  const { fetch } = app;
  app.fetch = (request, env) => serveByRoute(request, env as Env['Bindings'], { fetch, router, respondToError });
  return app;
}
