import type { Hono } from 'hono';
import type { TenantRegistry } from '../core/tenant/registry.ts';
import { createApp } from '../http/app.ts';
import type { Env } from '../http/context.ts';
import type { ServedApps } from '../http/transport/http-server.ts';
import type { PointMaster } from '../point-master/point-master.ts';
import { fetchInProcess } from '../http/transport/in-process.ts';
import { errorBody } from '../http/pipeline/response.ts';
import { endpoints } from '../service/endpoints.ts';
import { apiError } from '../service/errors/catalog.ts';
import type { StateStore } from '../storage/persistence/state-store.ts';
import { applyScenarioInTurns } from './scenario-reload.ts';
import type { PublishedExploration } from './published-exploration.ts';
import { commonOptions } from './settings/sim-options.ts';
import type { ResolvedSimOptions, TenantFactory } from './tenant-factory.ts';

interface AppParts {
  readonly tenants: TenantRegistry;
  readonly tenantFactory: TenantFactory;
  readonly pointMaster: PointMaster | undefined;
  readonly saved: StateStore | undefined;
  readonly exploration: PublishedExploration;
}

/** Creates the service and its control API, which is loaded with the first request to it. */
export function createServiceApp(
  options: ResolvedSimOptions,
  { tenants, tenantFactory, pointMaster, saved, exploration }: AppParts,
): ServedApps {
  const shared = {
    endpoints,
    tenants,
    tenantsBy: options.tenants ?? 'path',
    apiKeys: options.apiKeys ?? [],
    listenHost: options.host ?? commonOptions.host.default,
    onInternalError: options.onInternalError ?? (() => {}),
  } as const;
  const respondWhenSaved = (app: Hono<Env>): Hono<Env> => (saved && options.durable ? whenSaved(app, saved) : app);
  let control: Promise<Hono<Env>> | undefined;
  const loadControl = async (): Promise<Hono<Env>> => {
    const { createAdminApp } = await import('../admin/admin-app.ts');
    const app = createAdminApp({
      ...shared,
      createTenant: tenantFactory.create,
      createTenantLike: tenantFactory.createLike,
      withSeed: tenantFactory.withSeed,
      applyScenario: (tenant, scenario) => applyScenarioInTurns(tenant, scenario, { tenants, ...tenantFactory }),
      sendRequest: (request) => fetchInProcess(service, request),
      pointMaster,
      exploration,
      adminKey: options.adminKey,
      warn: options.onWarning ?? (() => {}),
    });
    return respondWhenSaved(app);
  };
  const adminApp = (): Promise<Hono<Env>> => (control ??= loadControl());
  const service = respondWhenSaved(createApp({ ...shared, adminApp }));
  return { app: service, adminApp };
}

/** Lets an app respond only when everything that was saved by then is on the disk. */
function whenSaved(app: Hono<Env>, saved: StateStore): Hono<Env> {
  const { fetch } = app;
  app.fetch = async (...call) => {
    const response = await fetch(...call);
    try {
      await saved.saved();
      return response;
    } catch (error) {
      const message = `What this call did is not sure to be on the disk (${error instanceof Error ? error.message : error}).`;
      const refusal = apiError('InternalError', { message });
      return Response.json(errorBody(refusal, response.headers.get('x-request-id') ?? ''), { status: refusal.status });
    }
  };
  return app;
}
