/** Finds the importer of a tenant, without loading what imports. */
import type { Tenant } from '../core/tenant/tenant.ts';
import type { Importer } from './importer.ts';

const importers = new WeakMap<Tenant, Importer>();

export const registerImporter = (tenant: Tenant, importer: Importer): void => void importers.set(tenant, importer);

/** Returns the importer of a tenant; undefined where no folder is watched. */
export const findImporter = (tenant: Tenant): Importer | undefined => importers.get(tenant);
