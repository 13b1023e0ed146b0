/** Judges what a client sent as files: whether all of it came in, and only once. */
import { plural } from '../core/lib/plural.ts';
import type { Tenant } from '../core/tenant/tenant.ts';
import { getRow } from '../core/state/state.ts';
import { importedFiles } from '../service/imports/tables.ts';
import type { ImportedFile } from '../service/imports/tables.ts';
import { receipts } from '../service/receipts/tables.ts';
import type { ReceiptRow } from '../service/receipts/tables.ts';
import { changesOf } from './history/attempt.ts';
import type { Check } from './verdict.ts';

const maxNamed = 3;
const filesComeIn = 'receipts in files come in';
const onceByFile = 'a receipt comes in by file or by API, once';

/** Returns the checks of a tenant into whose folder files were put. */
export function checkImports(tenant: Tenant): Check[] {
  if (tenant.count(importedFiles) === 0) return [];
  const files = [...tenant.all(importedFiles)];
  return [
    ...files.flatMap((file) => checkCameIn(tenant, file, files)),
    ...checkOnce(tenant, files),
    { description: 'files are imported', verdict: 'PASS', reason: describeFiles(files), requests: [] },
  ];
}

function describeFiles(files: readonly ImportedFile[]): string {
  const imported = files.filter(({ status }) => status === 'imported');
  const sumOf = (count: 'imported' | 'repeated' | 'unknownContact'): number =>
    imported.reduce((sum, file) => sum + file[count], 0);
  const [repeated, unknown] = [sumOf('repeated'), sumOf('unknownContact')];
  const ignored = [
    ...(repeated > 0 ? [`${repeated} had a uniqueReceiptId that was there already`] : []),
    ...(unknown > 0 ? [`${unknown} belonged to nobody`] : []),
  ];
  const others = ignored.length === 0 ? '' : `; of the others ${ignored.join(', ')}: GET /__admin/imports names them`;
  return `${plural(sumOf('imported'), 'receipt')} came in with ${imported.length} of ${files.length} files${others}`;
}

/** Finds a file that was not taken, and whose receipts never came in by another way. */
function checkCameIn(tenant: Tenant, file: ImportedFile, files: readonly ImportedFile[]): Check[] {
  const { name, status, reason, missing, number } = file;
  if (status === 'imported' || !reason) return [];
  const lost = missing.filter((id) => tenant.find(receipts, 'uniqueReceiptId', id) === undefined);
  // Of a file that can't be read, only a later one can tell.
  const isReplaced = files.some((later) => later.number > number && later.status === 'imported');
  if (missing.length === 0 ? isReplaced || reason.code === 'wrong-name' : lost.length === 0) return [];
  const what =
    missing.length === 0 ? 'nothing came in its place' : `${lost.length} of its receipts never came in: ${named(lost)}`;
  const advice =
    status === 'withdrawn' ? 'keep a file until the batch has taken it' : 'correct the file and send it again';
  return [fail(filesComeIn, `${name} ${reason.message} (${reason.code}), and ${what}; ${advice}`)];
}

const named = (ids: readonly string[]): string =>
  [...ids.slice(0, maxNamed), ...(ids.length > maxNamed ? [`and ${ids.length - maxNamed} more`] : [])].join(', ');

const fail = (description: string, reason: string, requests: readonly string[] = []): Check => ({
  description,
  verdict: 'FAIL',
  reason,
  requests: [...requests],
});

/** Finds a purchase that came by file under one id, and by API or by another file under another. */
function checkOnce(tenant: Tenant, files: readonly ImportedFile[]): Check[] {
  if (tenant.journal.evicted > 0 || !files.some(({ imported }) => imported > 0)) return [];
  const byRequest = requestsOfReceipts(tenant);
  const seen = new Map<string, ReceiptRow>();
  const doubled: { readonly first: ReceiptRow; readonly second: ReceiptRow }[] = [];
  for (const row of tenant.all(receipts)) {
    // What the fixtures hold nobody has sent.
    if (row.isRepeat || getRow(tenant.seedState, receipts, row.id)) continue;
    const content = purchaseOf(row);
    const first = seen.get(content);
    if (!first) seen.set(content, row);
    // R5 judges two requests; what one file lists twice, its author has meant.
    else if (byRequest.has(first.id) !== byRequest.has(row.id)) doubled.push({ first, second: row });
  }
  return doubled.slice(0, maxNamed).map(({ first, second }) => {
    const requests = [first, second].flatMap(({ id }) => byRequest.get(id) ?? []);
    const [one, other] = [first, second].map(
      ({ id, uniqueReceiptId }) => `${uniqueReceiptId} (${wayOf(byRequest.get(id))})`,
    );
    return fail(
      onceByFile,
      `${one} and ${other} are the same purchase: it needs the same uniqueReceiptId on both ways`,
      requests,
    );
  });
}

const wayOf = (request: string | undefined): string => (request === undefined ? 'by file' : `by ${request}`);

const purchaseOf = ({
  contact,
  createdDate,
  storeExternalId,
  currency,
  totalGrossPrice,
  items,
  contactId,
}: ReceiptRow) =>
  JSON.stringify([
    contactId ?? contact.matchKey,
    createdDate,
    storeExternalId,
    currency,
    totalGrossPrice,
    items.map(({ type, sku, quantity, grossPaidPrice }) => [type, sku, quantity, grossPaidPrice]),
  ]);

/** Returns the request that each receipt came by, as far as it came by one. */
function requestsOfReceipts(tenant: Tenant): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const exchange of tenant.journal.exchanges()) {
    for (const { table, key } of changesOf(exchange)) if (table === receipts.name) found.set(key, exchange.id);
  }
  return found;
}
