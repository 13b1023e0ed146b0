import * as z from '../../core/validation/deferred-zod.ts';
import { toTimestamp } from '../../core/time/clock.ts';
import type { TenantContext } from '../../core/tenant/context.ts';
import { importedFiles, importStatuses } from '../../service/imports/tables.ts';
import type { ImportBatch, ImportedFile } from '../../service/imports/tables.ts';

const noteSchema = z.strictObject({
  code: z.string().describe('Names the rule, such as `unknown-store`'),
  message: z.string(),
  line: z.int().nullable(),
  column: z.int().nullable(),
  uniqueReceiptId: z.string().nullable(),
});

const importedFileSchema = z
  .strictObject({
    name: z.string(),
    status: z.enum(importStatuses),
    reason: noteSchema.nullable().describe('Says why the file was refused'),
    bytes: z.int(),
    receipts: z.int(),
    imported: z.int(),
    repeated: z.int().describe('Receipts that were there already, and are ignored'),
    unknownContact: z.int().describe('Receipts that belong to nobody, and are ignored'),
    refused: z.int().describe('Receipts that are refused by themselves (A-67)'),
    notes: z.array(noteSchema).describe('Lists what was ignored or warned about, the first 100'),
    notesOmitted: z.int(),
    missing: z
      .array(z.string())
      .describe('Receipts that did not come in with a refused or withdrawn file, the first 1000'),
    keptAs: z.string().nullable().describe('Names the place of a refused file, below the folder'),
  })
  .meta({ id: 'ImportedFile' });

export const importBatchSchema = z
  .strictObject({
    batch: z.int(),
    at: z.string(),
    error: z.string().nullable().describe('Says why the batch took nothing'),
    files: z.array(importedFileSchema),
  })
  .meta({ id: 'ImportBatch', description: 'One batch with the files that it imported or refused' });

const serializeFile = ({
  number: _number,
  batch: _batch,
  at: _at,
  digest: _digest,
  notes,
  missing,
  ...file
}: ImportedFile): z.input<typeof importedFileSchema> => ({ ...file, notes: [...notes], missing: [...missing] });

export const serializeImportBatch = (
  tenant: TenantContext,
  { number, at, error }: ImportBatch,
): z.input<typeof importBatchSchema> => ({
  batch: number,
  at: toTimestamp(at),
  error,
  files: tenant.listRows(importedFiles, 'byBatch', String(number)).map(serializeFile),
});
