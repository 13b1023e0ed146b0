import { Hono } from 'hono';
import type { ApiResponse, Endpoint } from '../core/exchange/endpoint.ts';
import { ApiError } from '../core/exchange/api-error.ts';
import type { TenantContext } from '../core/tenant/context.ts';
import { apiError } from '../service/errors/catalog.ts';
import { servedPath } from './context.ts';
import type { AppContext, Precondition, Env, Middleware } from './context.ts';
import { isDryRun, withFaults } from './pipeline/fault-injection.ts';
import { checkHostAndOrigin } from './pipeline/host-guard.ts';
import { recordExchange } from './pipeline/exchange.ts';
import { createEndpointHandler } from './pipeline/endpoint-handler.ts';
import type { TransactionScope } from './pipeline/request-scope.ts';
import { bySpecificity, toRouterPath } from '../core/exchange/path-template.ts';
import { limitRate, requireUserAgent, warnMethodOverride } from './pipeline/preconditions.ts';
import { sendApiError } from './pipeline/response.ts';
import { authenticate } from './pipeline/tenant-resolution.ts';
import type { TenancyOptions } from './pipeline/tenant-resolution.ts';
import { suggestRoute } from './pipeline/route-suggestions.ts';

interface AppOptions extends TenancyOptions {
  readonly endpoints: readonly Endpoint[];
  /** What stands under /__admin, beside the service; loaded when it is first called. */
  readonly control: () => Promise<Hono<Env>>;
  readonly listenHost: string;
  /** Told of what should never happen; the caller gets a 500. */
  readonly onInternalError: (error: unknown) => void;
}

/** The service over HTTP, in process or behind a socket: every call goes through these steps in this order. */
export function createApp({ endpoints, control, listenHost, onInternalError, ...tenancy }: AppOptions): Hono<Env> {
  const app = new Hono<Env>({ getPath: servedPath });
  const answerError = (error: unknown, c: AppContext): Response => {
    if (error instanceof ApiError) return sendApiError(c, error);
    onInternalError(error);
    return sendApiError(c, apiError('InternalError'));
  };
  app.all('/__admin/*', async (c) => (await control()).fetch(c.req.raw, c.env));
  const refuseStrangers = checkHostAndOrigin(listenHost);
  app.use(recordExchange(tenancy, refuseStrangers));
  app.use(
    runPreconditions([refuseStrangers, authenticate(tenancy), limitRate(), requireUserAgent(), warnMethodOverride()]),
  );
  for (const endpoint of endpoints.toSorted((a, b) => bySpecificity(a.path, b.path))) {
    const serve = createEndpointHandler(endpoint, (c) => tenantScopeOf(c, endpoint));
    const paths = [endpoint.path, ...(endpoint.aliases ?? [])].map(toRouterPath);
    app.on(endpoint.method, paths, withFaults({ serve, answerError, endpoint }));
  }
  const refuse = (c: AppContext): Response => sendApiError(c, unservedError(c, endpoints));
  app.notFound(withFaults({ serve: refuse, answerError, endpoint: undefined }));
  app.onError(answerError);
  return app;
}

function runPreconditions(checks: readonly Precondition[]): Middleware {
  return function runChecks(c, next) {
    for (const check of checks) check(c);
    return next();
  };
}

function tenantScopeOf(c: AppContext, endpoint: Endpoint): TransactionScope<TenantContext, ApiResponse> {
  const tenant = c.get('tenant');
  const exchange = c.get('exchange');
  const { sideEffects: outcome } = exchange;
  const met = outcome.assumptions;
  exchange.endpoint = endpoint.id;
  if (endpoint.assumptions) outcome.assumptions = endpoint.assumptions;
  for (const id of met) outcome.recordAssumption(id);
  return {
    context: tenant,
    fieldValidation: tenant.settings.fieldValidation,
    warn: (code, message) => outcome.warn(code, message),
    assumption: (id) => {
      outcome.recordAssumption(id);
      return tenant.settings.assumptions[id] ?? 'default';
    },
    recordBody: (text) => {
      exchange.request.body = text;
    },
    transact: (work) =>
      exchange.fault && isDryRun(exchange.fault) ? tenant.dryRun(work) : tenant.transact(outcome, work, exchange.id),
  };
}

/** The refusal for a call that no endpoint answers; the journal notes which would. */
function unservedError(c: AppContext, endpoints: readonly Endpoint[]): ApiError {
  const routes = endpoints.flatMap(({ method, path, aliases = [] }) =>
    [path, ...aliases].map((served) => ({ method, served })),
  );
  const { refused, near } = suggestRoute(c, routes);
  c.get('exchange').nearest = near;
  return refused;
}
