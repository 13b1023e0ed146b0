import type { Hono } from 'hono';
import type { TenantRegistry } from '../core/tenant/registry.ts';
import { createApp } from '../http/app.ts';
import type { Env } from '../http/context.ts';
import type { ServedApps } from '../http/transport/http-server.ts';
import type { PointMaster } from '../point-master/point-master.ts';
import { fetchInProcess } from '../http/transport/in-process.ts';
import { endpoints } from '../service/endpoints.ts';
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
    whenSaved: saved && options.durable ? () => saved.saved() : undefined,
    prepareWrite:
      saved &&
      ((name: string) => (saved.tenants.has(name) ? undefined : tenantFactory.withSeed({ name, setup: {} }, () => {}))),
  } as const;
  let control: Promise<Hono<Env>> | undefined;
  const loadControl = async (): Promise<Hono<Env>> => {
    const { createAdminApp } = await import('../admin/admin-app.ts');
    return createAdminApp({
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
  };
  const adminApp = (): Promise<Hono<Env>> => (control ??= loadControl());
  const service = createApp({ ...shared, adminApp });
  return { app: service, adminApp };
}
