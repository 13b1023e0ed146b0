/** Serves the import folder by SFTP and FTP in addition to the API. */
import { resolve, relative, sep } from 'node:path';
import { InputError, OptionError } from '../core/lib/input-error.ts';
import { defaultTenantName } from '../core/tenant/registry.ts';
import type { TenantRegistry } from '../core/tenant/registry.ts';
import { isLoopback } from '../http/pipeline/host-guard.ts';
import { tenantRejectionReason } from '../http/pipeline/tenant-resolution.ts';
import { importPath } from '../imports/import-folder.ts';
import { findImporter } from '../imports/importers-of-tenants.ts';
import type { FileServer, FileServerOptions, SftpServerOptions } from '../imports/servers/file-server.ts';
import type { SimOptions } from './options.ts';
import { commonOptions } from './settings/sim-options.ts';

type ImportOptions = Pick<
  SimOptions,
  'host' | 'data' | 'importFolder' | 'sftpPort' | 'ftpPort' | 'importUser' | 'importPassword' | 'onInternalError'
>;

/** Throws `OptionError` for options that do not go together. */
export function checkImportOptions(options: ImportOptions): void {
  const { host = commonOptions.host.default, importFolder, importPassword } = options;
  for (const name of ['sftpPort', 'ftpPort', 'importUser', 'importPassword'] as const) {
    if (options[name] !== undefined && importFolder === undefined) {
      throw new OptionError(name, 'is given, and there is no importFolder to serve');
    }
  }
  for (const name of ['sftpPort', 'ftpPort'] as const) {
    if (options[name] === undefined || importPassword !== undefined || isLoopback(host)) continue;
    throw new OptionError(name, `would let anybody who reaches ${host} write files; set importPassword`);
  }
}

export interface ImportServers {
  readonly sftp: string | undefined;
  readonly ftp: string | undefined;
  readonly close: () => Promise<void>;
}

/** Starts the servers that are asked for. Throws `InputError` when one can't. */
export async function startImportServers(options: ImportOptions, tenants: TenantRegistry): Promise<ImportServers> {
  const { host = commonOptions.host.default, importFolder = '', importUser: user, importPassword: password } = options;
  const { data, sftpPort, ftpPort, onInternalError = () => {} } = options;
  const root = resolve(importFolder);
  const tenantOf = (name: string) => {
    const known = tenants.get(name);
    return known ?? (tenantRejectionReason(name, tenants) === undefined ? tenants.getOrCreate(name) : undefined);
  };
  const importerOf = (path: string) => {
    const file = tenantFileOf(root, path);
    const tenant = file && tenantOf(file.tenant);
    const importer = tenant && findImporter(tenant);
    return importer && { importer, name: file?.name ?? '' };
  };
  const shared: Omit<FileServerOptions, 'port'> = {
    root,
    host,
    user,
    password,
    onInternalError,
    onTenant: (name) => void tenantOf(name),
    beforeRemoval: async (path) => {
      const found = importerOf(path);
      await found?.importer.noteWithdrawal(found.name);
    },
    breakAfter: (path) => {
      const found = importerOf(path);
      return found?.importer.breakAfter(found.name);
    },
  };
  const servers: FileServer[] = [];
  const close = async (): Promise<void> => void (await Promise.all(servers.map((server) => server.close())));
  const start = async (name: 'sftpPort' | 'ftpPort', port: number | undefined): Promise<string | undefined> => {
    if (port === undefined) return undefined;
    try {
      const hostKeyPath = data === undefined ? undefined : `${resolve(data)}.sftp-key`;
      const server = await starters[name]({ ...shared, port, hostKeyPath });
      servers.push(server);
      return server.url;
    } catch (error) {
      await close();
      if (error instanceof InputError) throw error;
      throw new InputError(`${name}: can't listen on ${host}:${port}: ${error instanceof Error ? error.message : ''}`);
    }
  };
  return { sftp: await start('sftpPort', sftpPort), ftp: await start('ftpPort', ftpPort), close };
}

const starters = {
  sftpPort: async (options: SftpServerOptions) =>
    (await import('../imports/servers/sftp-server.ts')).startSftpServer(options),
  ftpPort: async (options: FileServerOptions) =>
    (await import('../imports/servers/ftp-server.ts')).startFtpServer(options),
};

/** Returns whose import folder a file lies in; undefined for a file elsewhere. */
function tenantFileOf(root: string, path: string): { readonly tenant: string; readonly name: string } | undefined {
  const parts = relative(root, path).split(sep);
  const [first, tenant = ''] = parts;
  const rest = first === 't' ? parts.slice(2) : parts;
  const name = rest.pop() ?? '';
  if (rest.join('/') !== importPath) return undefined;
  return { tenant: first === 't' ? tenant : defaultTenantName, name };
}
