import { Hono } from 'hono';
import { ApiError } from '../core/exchange/api-error.ts';
import { finishInTurns, nextTurn } from '../core/time/steps.ts';
import { defaultTenantName } from '../core/tenant/registry.ts';
import type { ApiResponse } from '../core/exchange/endpoint.ts';
import type { Tenant } from '../core/tenant/tenant.ts';
import { invalidFieldError, apiError } from '../service/errors/catalog.ts';
import { headerOf, rawQueryOf, sentPath, splitTenant, urlOf } from '../http/context.ts';
import type { AppContext, Env } from '../http/context.ts';
import { createEndpointHandler } from '../http/pipeline/endpoint-handler.ts';
import type { TransactionScope } from '../http/pipeline/request-scope.ts';
import { bySpecificity, toRouterPath } from '../core/exchange/path-template.ts';
import { sendApiError } from '../http/pipeline/response.ts';
import { tenantRejectionReason, tenantNameForKey } from '../http/pipeline/tenant-resolution.ts';
import type { TenancyOptions } from '../http/pipeline/tenant-resolution.ts';
import { respondWhenSaved } from '../http/pipeline/when-saved.ts';
import type { WhenSaved } from '../http/pipeline/when-saved.ts';
import { suggestRoute } from '../http/pipeline/route-suggestions.ts';
import { controlExtent } from '../core/validation/extent.ts';
import { diagnosticWording } from '../core/validation/schema-diagnostics.ts';
import type { AdminContext } from './input/admin-context.ts';
import { adminEndpoints } from './endpoints.ts';
import { checkAdminKey, guardAdmin } from './input/admin-guard.ts';
import type { AdminGuardOptions } from './input/admin-guard.ts';
import { scenarioCallsInOrder } from './input/scenario-calls.ts';
import { tenantNotFound } from './tenants.ts';

interface AdminAppOptions
  extends
    TenancyOptions,
    AdminGuardOptions,
    Pick<
      AdminContext,
      'endpoints' | 'createTenant' | 'createTenantLike' | 'withSeed' | 'applyScenario' | 'sendRequest'
    >,
    Pick<AdminContext, 'pointMaster' | 'exploration' | 'warn'> {
  /** Hears of an error that is a bug of the simulator; the client gets a 500. */
  readonly onInternalError: (error: unknown) => void;
  readonly whenSaved?: WhenSaved | undefined;
}

const docsPath = '/__admin/docs';
const dashboardPath = '/__admin/ui';
/** Is asked for by what starts and watches containers, which knows no key; it tells nothing of the data. */
const healthPath = '/__admin/health';
const pages = [docsPath, dashboardPath].map((path) => ({ method: 'GET', path }));
/** Lists what needs no admin key: a browser can't send one before a page asks for it, and pages hold no data. */
const openPaths: readonly string[] = [docsPath, dashboardPath, healthPath];
const routes = [...adminEndpoints, ...pages].map(({ method, path }) => ({
  method,
  served: path,
}));

/** Returns the control API: everything under /__admin, separate from the service's own pipeline. */
export function createAdminApp(options: AdminAppOptions): Hono<Env> {
  const app = new Hono<Env>({ getPath: sentPath });
  const check = guardAdmin(options);
  const streams: AdminContext['streams'] = new Set();
  const inOrder = scenarioCallsInOrder((c) => addressedName(c, options));
  app.use((c, next) => {
    check(c);
    if (options.adminKey !== undefined && !openPaths.includes(c.req.path)) checkAdminKey(c, options.adminKey);
    refusePrefix(c);
    return next();
  });
  for (const endpoint of adminEndpoints.toSorted((a, b) => bySpecificity(a.path, b.path))) {
    const handler = createEndpointHandler(endpoint, (c) => adminScopeOf(c, options, streams));
    const serve = respondWhenSaved(inOrder(endpoint.id, handler), options.whenSaved);
    app.on(endpoint.method, toRouterPath(endpoint.path), serve);
  }
  app.get(docsPath, async (c) => {
    const { docsPage } = await import('./views/pages.ts');
    const { html, headers } = docsPage();
    return c.body(html, 200, headers);
  });
  app.get(dashboardPath, async (c) => {
    const { dashboardPage } = await import('./views/pages.ts');
    const { html, headers } = dashboardPage();
    return c.body(html, 200, headers);
  });
  app.notFound((c) => sendApiError(c, suggestRoute(c.req, routes).error));
  app.onError((error, c) => {
    if (error instanceof ApiError) return sendApiError(c, error);
    options.onInternalError(error);
    return sendApiError(c, apiError('InternalError'));
  });
  return app;
}

function refusePrefix(c: AppContext): void {
  const { name } = splitTenant(urlOf(c));
  if (name === undefined) return;
  throw apiError('EndpointNotFound', {
    message: `The control API is not served under a tenant's path: call ${c.req.path}?tenant=${name}.`,
  });
}

function adminScopeOf(
  c: AppContext,
  options: AdminAppOptions,
  streams: AdminContext['streams'],
): TransactionScope<AdminContext, ApiResponse | Promise<ApiResponse>> {
  const {
    tenants,
    endpoints,
    createTenant,
    createTenantLike,
    withSeed,
    applyScenario,
    sendRequest,
    pointMaster,
    exploration,
    warn,
  } = options;
  return {
    context: {
      tenants,
      endpoints,
      adminEndpoints,
      createTenant,
      createTenantLike,
      withSeed,
      applyScenario,
      sendRequest,
      apiKey: options.apiKeys[0],
      pointMaster,
      exploration,
      warn,
      streams,
      serverUrl: originOf(c.req.raw.url),
      // Looked up on demand: a rejected call must create no tenant, and most calls need no signal.
      get tenant() {
        return addressedTenant(c, options);
      },
      get signal() {
        return signalOf(c);
      },
    },
    // An unknown field is a mistake in somebody's test here, not a difference between versions.
    fieldValidation: 'strict',
    warn: () => {},
    warnOfMore: () => {},
    // a call by hand may leave out that it sends JSON.
    assumption: () => 'lenient',
    recordBody: () => {},
    wording: diagnosticWording,
    extent: controlExtent,
    transact: ({ handle, isLong }) => (isLong ? nextTurn().then(handle) : handle()),
    transactInTurns: async (reading) => {
      const { handle, isLong } = await finishInTurns(reading);
      if (isLong) await nextTurn();
      return handle();
    },
  };
}

/** Returns the origin that the client called; an accepted Host header need not make a valid URL. */
const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : 'http://localhost');

/** Returns the tenant that a call addresses; POST and PUT create it if needed, as calls of the service do. */
function namedTenant(c: AppContext): string {
  const query = new URLSearchParams(rawQueryOf(urlOf(c)));
  return query.get('tenant') || headerOf(c, 'x-sim-tenant') || defaultTenantName;
}

function addressedName(c: AppContext, { tenants, tenantsBy, apiKeys }: TenancyOptions): string {
  const named = namedTenant(c);
  const isKey = tenantsBy === 'by-key' && (apiKeys.length === 0 || apiKeys.includes(named));
  return isKey && !tenants.get(named) ? tenantNameForKey(named) : named;
}

function addressedTenant(c: AppContext, options: TenancyOptions): Tenant {
  const { tenants } = options;
  const name = addressedName(c, options);
  const known = tenants.get(name);
  if (known) return known;
  if (c.req.method !== 'POST' && c.req.method !== 'PUT') throw tenantNotFound(tenants, namedTenant(c));
  const reason = tenantRejectionReason(name, tenants);
  if (reason !== undefined) throw invalidFieldError('tenant', reason);
  return tenants.getOrCreate(name);
}

function signalOf(c: AppContext): AbortSignal {
  const outgoing = c.env?.outgoing;
  if (!outgoing) return c.req.raw.signal;
  const controller = new AbortController();
  outgoing.once('close', () => controller.abort());
  return controller.signal;
}
