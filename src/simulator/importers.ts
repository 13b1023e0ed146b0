/** Lets the tenants of a sim import the files of their folders. */
import { resolve } from 'node:path';
import type { Tenant } from '../core/tenant/tenant.ts';
import { tenantRoot } from '../imports/import-folder.ts';
import { describeImport, Importer } from '../imports/importer.ts';
import { registerImporter } from '../imports/importers-of-tenants.ts';
import { scenarioOf } from '../scenario/scenario.ts';
import type { SimOptions } from './options.ts';

/** Returns a function that gives a tenant the importer of its folder. */
export function createImporters(
  folder: string,
  { onWarning, onInternalError }: Pick<SimOptions, 'onWarning' | 'onInternalError'>,
): (tenant: Tenant) => void {
  return (tenant) => {
    const importer = new Importer({
      tenant,
      root: tenantRoot(resolve(folder), tenant.name),
      every: tenant.settings.importEvery,
      faults: scenarioOf(tenant).imports,
      onFile: (file) => {
        if (file.status !== 'imported') onWarning?.(`Tenant ${tenant.name}: ${describeImport(file)}`);
      },
      onInternalError: onInternalError ?? (() => {}),
    });
    tenant.attachImporter(importer);
    registerImporter(tenant, importer);
  };
}
