import type { Hono } from 'hono';
import type { Tenants } from './core/tenants.ts';
import { createApp } from './http/app.ts';
import type { Env } from './http/context.ts';
import type { Master } from './master/master.ts';
import { endpoints } from './resources/endpoints.ts';
import type { SimSetup, TenantMaker } from './tenant-maker.ts';

interface AppParts {
  readonly tenants: Tenants;
  readonly maker: TenantMaker;
  readonly master: Master | undefined;
}

/** The service, and its control API once somebody calls that. */
export function appOf(options: SimSetup, { tenants, maker, master }: AppParts): Hono<Env> {
  const shared = {
    endpoints,
    tenants,
    tenantsBy: options.tenants ?? 'path',
    apiKeys: options.apiKeys ?? [],
    listenHost: options.host ?? '127.0.0.1',
    onFault: options.onFault ?? (() => {}),
  } as const;
  let control: Promise<Hono<Env>> | undefined;
  const loadControl = async (): Promise<Hono<Env>> => {
    const { createControlApp } = await import('./http/control/app.ts');
    return createControlApp({
      ...shared,
      makeTenant: maker.make,
      makeTenantAnew: maker.makeAnew,
      master,
      adminKey: options.adminKey,
      note: options.onNote ?? (() => {}),
    });
  };
  return createApp({ ...shared, control: () => (control ??= loadControl()) });
}
