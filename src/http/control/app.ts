import { Hono } from 'hono';
import { Refusal } from '../../core/errors.ts';
import { defaultTenantName } from '../../core/tenants.ts';
import type { Tenant } from '../../core/tenant.ts';
import { invalidField, refusal } from '../../resources/refusals.ts';
import { headerOf, rawQueryOf, servedPath, splitTenant, urlOf } from '../context.ts';
import type { AppContext, Env } from '../context.ts';
import type { EventStream } from '../event-stream.ts';
import { mount } from '../mount.ts';
import type { Caller } from '../mount.ts';
import { registrationOrder, routePath } from '../routes.ts';
import { sendRefusal } from '../send.ts';
import { tenantObstacle, tenantOfKey } from '../tenant.ts';
import type { TenantOptions } from '../tenant.ts';
import { unserved } from '../unserved.ts';
import type { Control } from './control.ts';
import { controlEndpoints } from './endpoints.ts';
import { checkAdminKey, guardControl } from './guard.ts';
import type { GuardOptions } from './guard.ts';
import { noTenant } from './tenants.ts';

interface ControlOptions
  extends
    TenantOptions,
    GuardOptions,
    Pick<Control, 'endpoints' | 'makeTenant' | 'makeTenantAnew' | 'master' | 'note'> {
  /** Told of what should never happen; the caller gets a 500. */
  readonly onFault: (error: unknown) => void;
}

const docsPath = '/__admin/docs';
const dashboardPath = '/__admin/ui';
const pages = [docsPath, dashboardPath].map((path) => ({ method: 'GET', path }));
const routes = [...controlEndpoints, ...pages].map(({ method, path }) => ({
  method,
  served: path,
}));

/** The control API (design.md §7): what stands under /__admin, kept apart from the service's own pipeline. */
export function createControlApp(options: ControlOptions): Hono<Env> {
  const app = new Hono<Env>({ getPath: servedPath });
  const check = guardControl(options);
  const streams = new Set<EventStream>();
  app.use((c, next) => {
    check(c);
    // A browser can't send the key before there is a page to ask for it; the page itself tells nothing.
    if (options.adminKey !== undefined && c.req.path !== dashboardPath) checkAdminKey(c, options.adminKey);
    refusePrefix(c);
    return next();
  });
  for (const endpoint of controlEndpoints.toSorted(registrationOrder)) {
    app.on(
      endpoint.method,
      routePath(endpoint.path),
      mount(endpoint, (c) => callerOf(c, options, streams)),
    );
  }
  app.get(docsPath, async (c) => {
    const { docsPage } = await import('../docs-page.ts');
    return c.body(docsPage.html, 200, docsPage.headers);
  });
  app.get(dashboardPath, async (c) => {
    const { dashboardPage } = await import('../dashboard-page.ts');
    const { html, headers } = dashboardPage();
    return c.body(html, 200, headers);
  });
  app.notFound((c) => sendRefusal(c, unserved(c, routes).refused));
  app.onError((error, c) => {
    if (error instanceof Refusal) return sendRefusal(c, error);
    options.onFault(error);
    return sendRefusal(c, refusal('InternalError'));
  });
  return app;
}

function refusePrefix(c: AppContext): void {
  const { name } = splitTenant(urlOf(c));
  if (name === undefined) return;
  throw refusal('EndpointNotFound', {
    message: `The control API is not served under a tenant's path: call ${c.req.path}?tenant=${name}.`,
  });
}

function callerOf(c: AppContext, options: ControlOptions, streams: Control['streams']): Caller<Control> {
  const { tenants, endpoints, makeTenant, makeTenantAnew, master, note } = options;
  return {
    context: {
      tenants,
      endpoints,
      makeTenant,
      master,
      makeTenantAnew,
      note,
      streams,
      serverUrl: originOf(c.req.raw.url),
      // Found when it is asked for: a call that is refused makes no tenant, and most calls need no signal.
      get tenant() {
        return tenantOf(c, options);
      },
      get signal() {
        return signalOf(c);
      },
    },
    // What isn't known here is a mistake in somebody's test, not a difference between versions.
    fieldValidation: 'strict',
    warn: () => {},
    // a call by hand need not say that it sends JSON.
    assumption: () => 'lenient',
    noteBody: () => {},
    carryOut: (work) => work(),
  };
}

/** Where the caller reached us; a Host header may be let in and still be no part of any URL. */
const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : 'http://localhost');

/** Whom a call is about; one that changes something makes a tenant that isn't there yet, as the service does. */
function tenantOf(c: AppContext, { tenants, tenantsBy, apiKeys }: TenantOptions): Tenant {
  const query = new URLSearchParams(rawQueryOf(urlOf(c)));
  const named = query.get('tenant') || headerOf(c, 'x-sim-tenant') || defaultTenantName;
  const isKey = tenantsBy === 'by-key' && (apiKeys.length === 0 || apiKeys.includes(named));
  const name = isKey && !tenants.get(named) ? tenantOfKey(named) : named;
  const known = tenants.get(name);
  if (known) return known;
  if (c.req.method !== 'POST' && c.req.method !== 'PUT') throw noTenant(tenants, named);
  const obstacle = tenantObstacle(name, tenants);
  if (obstacle !== undefined) throw invalidField('tenant', obstacle);
  return tenants.obtain(name);
}

function signalOf(c: AppContext): AbortSignal {
  const outgoing = c.env?.outgoing;
  if (!outgoing) return c.req.raw.signal;
  const controller = new AbortController();
  outgoing.once('close', () => controller.abort());
  return controller.signal;
}
