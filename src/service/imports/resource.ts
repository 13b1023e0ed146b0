import { resource } from '../resource/resource.ts';
import { importBatches, importedFiles } from './tables.ts';

export const importResource = resource({ name: 'imports', tables: [importBatches, importedFiles] });
