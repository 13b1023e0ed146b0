import type { Hono } from 'hono';
import type { TenantRegistry } from '../core/tenant/registry.ts';
import { createApp } from '../http/app.ts';
import type { Env } from '../http/context.ts';
import type { ServedApps } from '../http/transport/http-server.ts';
import type { PointMaster } from '../point-master/point-master.ts';
import { endpoints } from '../service/endpoints.ts';
import { applyScenario } from './scenario-reload.ts';
import type { ResolvedSimOptions, TenantFactory } from './tenant-factory.ts';

interface AppParts {
  readonly tenants: TenantRegistry;
  readonly tenantFactory: TenantFactory;
  readonly pointMaster: PointMaster | undefined;
}

/** Creates the service and its control API, which is loaded with the first request to it. */
export function createServiceApp(
  options: ResolvedSimOptions,
  { tenants, tenantFactory, pointMaster }: AppParts,
): ServedApps {
  const shared = {
    endpoints,
    tenants,
    tenantsBy: options.tenants ?? 'path',
    apiKeys: options.apiKeys ?? [],
    listenHost: options.host ?? '127.0.0.1',
    onInternalError: options.onInternalError ?? (() => {}),
  } as const;
  let control: Promise<Hono<Env>> | undefined;
  const loadControl = async (): Promise<Hono<Env>> => {
    const { createAdminApp } = await import('../admin/admin-app.ts');
    return createAdminApp({
      ...shared,
      createTenant: tenantFactory.create,
      applyScenario: (tenant, scenario) =>
        applyScenario(tenant, scenario, { tenants, recreate: tenantFactory.recreate }),
      pointMaster,
      adminKey: options.adminKey,
      warn: options.onWarning ?? (() => {}),
    });
  };
  const adminApp = (): Promise<Hono<Env>> => (control ??= loadControl());
  return { app: createApp({ ...shared, adminApp }), adminApp };
}
