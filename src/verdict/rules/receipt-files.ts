/** Finds receipts that came in a file. */
import type { Tenant } from '../../core/tenant/tenant.ts';
import { importedFiles } from '../../service/imports/tables.ts';
import { receipts } from '../../service/receipts/tables.ts';

/** True when a receipt of this id came in a file that was imported, whatever other way it came by. */
export function cameByFile(tenant: Tenant, uniqueReceiptId: string, isOwnWork: boolean): boolean {
  if (tenant.count(importedFiles) === 0 || tenant.find(receipts, 'uniqueReceiptId', uniqueReceiptId) === undefined)
    return false;
  if (!isOwnWork) return true;
  return [...tenant.all(importedFiles)].some(({ notes }) =>
    notes.some((note) => note.code === 'repeated-receipt' && note.uniqueReceiptId === uniqueReceiptId),
  );
}
