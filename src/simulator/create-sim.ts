import type { PointMaster } from '../point-master/point-master.ts';
import { InputError } from '../core/lib/input-error.ts';
import { rejectRenamedMembers } from '../core/lib/renamed-names.ts';
import { defaultTenantName, TenantRegistry } from '../core/tenant/registry.ts';
import { packageVersion } from '../package/package-info.ts';
import { fetchInProcess } from '../http/transport/in-process.ts';
import type { Listening } from '../http/transport/http-server.ts';
import { checkArgument, checkOptions, kinds } from '../core/lib/argument-checks.ts';
import { createSimFaults } from './runtime-faults.ts';
import { reloadScenario, applyScenario } from './scenario-reload.ts';
import type { PolicySpec } from '../scenario/policy-schema.ts';
import type { ScenarioSpec } from '../scenario/scenario-schema.ts';
import { createServiceApp } from './service-app.ts';
import { parseSimOptions } from './option-checks.ts';
import { toRequest, tenantProvider } from './tenant-handle.ts';
import type { SimServices } from './tenant-handle.ts';
import { createTenantFactory } from './tenant-factory.ts';
import type { Companions, ResolvedSimOptions } from './tenant-factory.ts';
import { commonOptions } from './settings/sim-options.ts';
import { createSimExplore } from './sim-explore.ts';
import { createSimVerdict } from './sim-verdict.ts';
import { PublishedExploration } from './published-exploration.ts';

import type { ImportServers } from './import-servers.ts';
import type { SimOptions } from './options.ts';
import type { Sim } from './sim.ts';

/** Creates a simulator in this process, without a port until it listens. Throws `InputError` for invalid options. */
export async function createSim(options: SimOptions = {}): Promise<Sim> {
  const parsed = parseSimOptions(options);
  const [scenario, policy] = [await resolveScenario(options.scenario), await resolvePolicy(options.policy)];
  const setup = { ...parsed, scenario, policy };
  if (!options.withPointMaster) return createPersistentSim(setup);
  const { createSimWithPointMaster } = await import('./with-point-master.ts');
  return createSimWithPointMaster(setup, createPersistentSim);
}

async function createPersistentSim(options: ResolvedSimOptions, pointMaster?: PointMaster): Promise<Sim> {
  const [attachImporter, tracer] = [await importerOf(options), await tracerOf(options)];
  if (options.data === undefined) return assembleSim(options, { pointMaster, attachImporter, tracer });
  const { StateStore } = await import('../storage/persistence/state-store.ts');
  const { data: file, acceptEdits, durable, onWarning = () => {} } = options;
  const saved = await StateStore.open({ file, acceptEdits, durable, onWarning });
  try {
    const sim = assembleSim(options, { saved, pointMaster, attachImporter, tracer });
    await saved.start(sim.tenants.default);
    return sim;
  } catch (error) {
    await saved.close();
    throw error;
  }
}

async function resolvePolicy(given: SimOptions['policy']): Promise<PolicySpec | undefined> {
  if (given === undefined) return undefined;
  const { parsePolicy } = await import('../scenario/scenario-parser.ts');
  return parsePolicy(given);
}

const isList = (given: object): given is readonly string[] => Array.isArray(given);

async function resolveScenario(given: SimOptions['scenario']): Promise<ScenarioSpec> {
  if (given === undefined) return {};
  if (typeof given === 'object' && !isList(given)) {
    const { parseScenario } = await import('../scenario/scenario-parser.ts');
    return parseScenario(given);
  }
  const { loadScenarios } = await import('../scenario/load.ts');
  return loadScenarios([given].flat()).spec;
}

/** Returns what lets tenants import files; it is loaded only where there is a folder. */
async function importerOf(options: ResolvedSimOptions): Promise<Companions['attachImporter']> {
  if (options.importFolder === undefined && !hasImportServer(options)) return undefined;
  const { checkImportOptions } = await import('./import-servers.ts');
  checkImportOptions(options);
  if (options.importFolder === undefined) return undefined;
  const { createImporters } = await import('./importers.ts');
  return createImporters(options.importFolder, options);
}

/** Returns what traces requests; it is loaded only where there is a collector. */
async function tracerOf({ otlpEndpoint, onWarning = () => {} }: ResolvedSimOptions): Promise<Companions['tracer']> {
  if (otlpEndpoint === undefined) return undefined;
  const { createTracer } = await import('../telemetry/tracer.ts');
  return createTracer({ endpoint: otlpEndpoint, env: process.env, version: packageVersion(), onWarning });
}

const hasImportServer = ({ sftpPort, ftpPort, importUser, importPassword }: ResolvedSimOptions): boolean =>
  [sftpPort, ftpPort, importUser, importPassword].some((option) => option !== undefined);

/** Creates a tenant as it was saved. Throws `InputError` that names it when what it is set up with is gone. */
function createSaved(name: string, tenants: TenantRegistry, file = ''): void {
  try {
    tenants.getOrCreate(name);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError(
      `The tenant "${name}", which is saved in ${file}, can't be set up as it was: ${error.message}\n` +
        'Put back what it names, or start in the folder that its paths count from.',
    );
  }
}

function assembleSim(options: ResolvedSimOptions, companions: Companions): Sim {
  const { saved, pointMaster, tracer } = companions;
  const tenantFactory = createTenantFactory(options, companions);
  const { host = commonOptions.host.default, onInternalError = () => {}, onWarning = () => {} } = options;
  const tenants = new TenantRegistry(
    (name) => tenantFactory.create(name),
    (tenant) => saved?.recordRemoval(tenant),
  );
  for (const name of saved?.tenants.keys() ?? []) createSaved(name, tenants, options.data);
  const exploration = new PublishedExploration();
  const apps = createServiceApp(options, { tenants, tenantFactory, pointMaster, saved, exploration });
  let listening: Listening | undefined;
  const servers = new Set<Listening>();
  let importServers: ImportServers | undefined;
  let isClosed = false;
  const close = async (): Promise<void> => {
    isClosed = true;
    await pointMaster?.close();
    await importServers?.close();
    await Promise.all([listening, ...servers].map((server) => server?.close()));
    saved?.callOff();
    await tenantFactory.close();
    for (const tenant of tenants) tenant.close();
    await tracer?.close();
    await saved?.close();
  };
  const services: SimServices = {
    tenants,
    fetch: async (input, init) => fetchInProcess(apps.app, toRequest(input, init)),
    faults: createSimFaults(tenants),
    verdict: createSimVerdict(tenants),
    applyScenario: async (tenant, scenario) =>
      void applyScenario(tenant, await resolveScenario(scenario), { tenants, recreate: tenantFactory.recreate }),
    adminKey: options.adminKey,
    url: () => listening?.url,
  };
  const tenant = tenantProvider(services);
  const createTenant: Sim['createTenant'] = (name, setup) => {
    const old = tenants.get(name);
    if (!old) return tenants.add(tenantFactory.create(name, setup));
    const replacing = tenantFactory.replace(old, setup);
    tenants.replace(replacing);
    return replacing;
  };
  const { clock, reset } = tenant(defaultTenantName);
  const listenFor = async (tenantName: string): Promise<Listening> => {
    checkArgument('listenFor', tenantName, kinds.text);
    const { listen } = await import('../http/transport/http-server.ts');
    if (isClosed) throw new InputError('This sim is closed.');
    const server = await listen(apps, { host, port: 0, tenant: tenantName, onInternalError, onWarning });
    servers.add(server);
    const closeServer = async (): Promise<void> => {
      await server.close();
      servers.delete(server);
    };
    return { ...server, close: closeServer };
  };
  const { fetch, faults, verdict } = services;
  return rejectRenamedMembers('sim', {
    tenants,
    app: apps.app,
    fetch,
    faults,
    verdict,
    explore: createSimExplore({
      tenants,
      tenant,
      createTenant,
      exploration,
      hasPointMaster: pointMaster !== undefined,
      listenFor: (name) => (listening ? listenFor(name) : undefined),
    }),
    showExploration: (live) => exploration.show(live),
    tenant,
    createTenant,
    clock,
    reset,
    pointMaster,
    close,
    [Symbol.asyncDispose]: close,
    replaceScenario: (spec) => reloadScenario(spec, { tenantFactory, tenants, isPersistent: saved !== undefined }),
    listen: async (given = {}) => {
      checkOptions('listen', given, { port: kinds.port });
      const { port = 0 } = given;
      if (listening) throw new InputError(`This sim is served already, at ${listening.url}.`);
      const { listen } = await import('../http/transport/http-server.ts');
      listening = await listen(apps, { host, port, onInternalError, onWarning });
      if (options.sftpPort === undefined && options.ftpPort === undefined) return listening;
      const { startImportServers } = await import('./import-servers.ts');
      importServers = await startImportServers(options, tenants);
      return listening;
    },
    listenFor,
    get url() {
      return listening?.url;
    },
    get sftpUrl() {
      return importServers?.sftp;
    },
    get ftpUrl() {
      return importServers?.ftp;
    },
  });
}
