import { Hono } from 'hono';
import type { Endpoint } from '../core/endpoint.ts';
import { Refusal } from '../core/errors.ts';
import type { Tenant } from '../core/tenant.ts';
import { nearest } from '../core/warning.ts';
import { refusal } from '../resources/refusals.ts';
import { pathAndQuery, pathOf, splitTenant } from './context.ts';
import type { AppContext, Check, Env, Step } from './context.ts';
import { guard } from './guard.ts';
import { journal } from './journal.ts';
import { mount } from './mount.ts';
import type { Caller } from './mount.ts';
import { matchPath, registrationOrder, routePath } from './routes.ts';
import { limitRate, requireUserAgent } from './rules.ts';
import { sendRefusal } from './send.ts';
import { admit } from './tenant.ts';
import type { TenantOptions } from './tenant.ts';

interface AppOptions extends TenantOptions {
  readonly endpoints: readonly Endpoint[];
  readonly listenHost: string;
  /** Told of what should never happen; the caller gets a 500. */
  readonly onFault: (error: unknown) => void;
}

/** The service over HTTP, in process or behind a socket: every call goes through these steps in this order. */
export function createApp({ endpoints, listenHost, onFault, ...tenancy }: AppOptions): Hono<Env> {
  const app = new Hono<Env>({
    getPath: (request, options) => splitTenant(pathOf(pathAndQuery(request, options?.env))).served,
  });
  app.use(journal(tenancy));
  app.use(checkAll([guard(listenHost), admit(tenancy), limitRate(), requireUserAgent()]));
  for (const endpoint of endpoints.toSorted(registrationOrder)) {
    const serve = mount(endpoint, (c) => callerOf(c, endpoint));
    app.on(endpoint.method, [endpoint.path, ...(endpoint.aliases ?? [])].map(routePath), serve);
  }
  app.notFound((c) => sendRefusal(c, unserved(c, endpoints)));
  app.onError((error, c) => {
    if (error instanceof Refusal) return sendRefusal(c, error);
    onFault(error);
    return sendRefusal(c, refusal('InternalError'));
  });
  return app;
}

function checkAll(checks: readonly Check[]): Step {
  return function runChecks(c, next) {
    for (const check of checks) check(c);
    return next();
  };
}

function callerOf(c: AppContext, endpoint: Endpoint): Caller<Tenant> {
  const tenant = c.get('tenant');
  const exchange = c.get('exchange');
  const { outcome } = exchange;
  exchange.endpoint = endpoint.id;
  if (endpoint.assumptions) outcome.assumptions = endpoint.assumptions;
  return {
    context: tenant,
    fieldValidation: tenant.settings.fieldValidation,
    warn: (code, message) => outcome.warn(code, message),
    assumption: (id) => {
      outcome.assume(id);
      return tenant.settings.assume[id] ?? 'default';
    },
    noteBody: (text) => {
      exchange.request.body = text;
    },
    carryOut: (work) => tenant.call(outcome, work, exchange.id),
  };
}

/** Says what would have been served instead: other methods of the path, or the nearest path. */
function unserved(c: AppContext, endpoints: readonly Endpoint[]): Refusal {
  const path = c.req.path;
  const routes = endpoints.flatMap(({ method, path: own, aliases = [] }) =>
    [own, ...aliases].map((served) => ({ method, served })),
  );
  const methods = routes.filter(({ served }) => matchPath(served, path)).map(({ method }) => method);
  if (methods.length > 0) {
    const allow = [...new Set(methods)].join(', ');
    const message = `${path} is not served with ${c.req.method}, only with ${allow}.`;
    return refusal('MethodNotAllowed', { message, headers: { allow } });
  }
  const near = nearestRoute(path, routes);
  const exchange = c.get('exchange');
  exchange.nearest = near;
  const hint = near === undefined ? '' : `; the nearest endpoint is ${near}`;
  return refusal('EndpointNotFound', { message: `${c.req.method} ${path} is not served here${hint}.` });
}

function nearestRoute(path: string, routes: readonly { method: string; served: string }[]): string | undefined {
  // Values in place of {params} would count as differences; the same value in the pattern doesn't.
  const sent = path.split('/');
  const filled = routes.map(({ served }) =>
    served
      .split('/')
      .map((part, i) => (part.startsWith('{') ? (sent[i] ?? part) : part))
      .join('/'),
  );
  const near = nearest(path, filled);
  const route = routes[near === undefined ? -1 : filled.indexOf(near)];
  return route && `${route.method} ${route.served}`;
}
