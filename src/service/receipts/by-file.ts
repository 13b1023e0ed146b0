/** Finds receipts that came in a file. */
import type { TenantContext } from '../../core/tenant/context.ts';
import { importedFiles } from '../imports/tables.ts';
import { receipts } from './tables.ts';

/** Says that a receipt of this id came in a file that was imported, whatever other way it came by. */
export function receiptByFile(
  tenant: TenantContext,
  uniqueReceiptId: string,
  changedTables: ReadonlySet<string>,
): string | undefined {
  if (tenant.count(importedFiles) === 0 || tenant.find(receipts, 'uniqueReceiptId', uniqueReceiptId) === undefined)
    return undefined;
  const isInFile =
    !changedTables.has(receipts.name) ||
    [...tenant.all(importedFiles)].some(({ notes }) =>
      notes.some((note) => note.code === 'repeated-receipt' && note.uniqueReceiptId === uniqueReceiptId),
    );
  return isInFile ? 'the receipt came in by file' : undefined;
}
