import { headline } from '../resource/headline.ts';
import { resource } from '../resource/resource.ts';
import { checksOfImports } from './checks.ts';
import { importBatches, importedFiles } from './tables.ts';

export const importResource = resource({
  name: 'imports',
  tables: [importBatches, importedFiles],
  headlines: [headline(importBatches, ['at', 'error']), headline(importedFiles, ['name', 'status', 'imported'])],
  checks: checksOfImports,
});
