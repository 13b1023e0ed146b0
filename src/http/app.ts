import { Hono } from 'hono';
import type { Endpoint } from '../core/endpoint.ts';
import { Refusal } from '../core/errors.ts';
import type { Tenant } from '../core/tenant.ts';
import { refusal } from '../resources/refusals.ts';
import { servedPath } from './context.ts';
import type { AppContext, Check, Env, Step } from './context.ts';
import { isRehearsal, withFaults } from './faults.ts';
import { guard } from './guard.ts';
import { journal } from './journal.ts';
import { mount } from './mount.ts';
import type { Caller } from './mount.ts';
import { registrationOrder, routePath } from './routes.ts';
import { limitRate, requireUserAgent, warnOfOverrides } from './rules.ts';
import { sendRefusal } from './send.ts';
import { admit } from './tenant.ts';
import type { TenantOptions } from './tenant.ts';
import { unserved } from './unserved.ts';

interface AppOptions extends TenantOptions {
  readonly endpoints: readonly Endpoint[];
  /** What stands under /__admin, beside the service; loaded when it is first called. */
  readonly control: () => Promise<Hono<Env>>;
  readonly listenHost: string;
  /** Told of what should never happen; the caller gets a 500. */
  readonly onFault: (error: unknown) => void;
}

/** The service over HTTP, in process or behind a socket: every call goes through these steps in this order. */
export function createApp({ endpoints, control, listenHost, onFault, ...tenancy }: AppOptions): Hono<Env> {
  const app = new Hono<Env>({ getPath: servedPath });
  const answerError = (error: unknown, c: AppContext): Response => {
    if (error instanceof Refusal) return sendRefusal(c, error);
    onFault(error);
    return sendRefusal(c, refusal('InternalError'));
  };
  app.all('/__admin/*', async (c) => (await control()).fetch(c.req.raw, c.env));
  const refuseStrangers = guard(listenHost);
  app.use(journal(tenancy, refuseStrangers));
  app.use(checkAll([refuseStrangers, admit(tenancy), limitRate(), requireUserAgent(), warnOfOverrides()]));
  for (const endpoint of endpoints.toSorted(registrationOrder)) {
    const serve = mount(endpoint, (c) => callerOf(c, endpoint));
    const paths = [endpoint.path, ...(endpoint.aliases ?? [])].map(routePath);
    app.on(endpoint.method, paths, withFaults({ serve, answerError, endpoint }));
  }
  const refuse = (c: AppContext): Response => sendRefusal(c, refuseUnserved(c, endpoints));
  app.notFound(withFaults({ serve: refuse, answerError, endpoint: undefined }));
  app.onError(answerError);
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
  const met = outcome.assumptions;
  exchange.endpoint = endpoint.id;
  if (endpoint.assumptions) outcome.assumptions = endpoint.assumptions;
  for (const id of met) outcome.assume(id);
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
    carryOut: (work) =>
      exchange.fault && isRehearsal(exchange.fault) ? tenant.rehearse(work) : tenant.call(outcome, work, exchange.id),
  };
}

/** The refusal for a call that no endpoint answers; the journal notes which would. */
function refuseUnserved(c: AppContext, endpoints: readonly Endpoint[]): Refusal {
  const routes = endpoints.flatMap(({ method, path, aliases = [] }) =>
    [path, ...aliases].map((served) => ({ method, served })),
  );
  const { refused, near } = unserved(c, routes);
  c.get('exchange').nearest = near;
  return refused;
}
