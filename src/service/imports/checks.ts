/** Judges what a client sent as files: whether all of it came in, and only once. */
import { changesOf } from '../../core/exchange/exchange.ts';
import { plural } from '../../core/lib/plural.ts';
import { getRow } from '../../core/state/state.ts';
import type { Tenant } from '../../core/tenant/tenant.ts';
import { forEachInSteps, Portion } from '../../core/time/steps.ts';
import type { Steps } from '../../core/time/steps.ts';
import { receipts } from '../receipts/tables.ts';
import type { ReceiptRow } from '../receipts/tables.ts';
import type { ResourceCheck } from '../resource/resource-check.ts';
import { importedFiles } from './tables.ts';
import type { ImportedFile } from './tables.ts';

const maxNamed = 3;
const filesComeIn = 'receipts in files come in';
const onceByFile = 'a receipt comes in by file or by API, once';

/** Estimates how much of an item is compared. */
const charactersOfItem = 50;

/** Returns the checks of a tenant into whose folder files were put. */
export function* checksOfImports(tenant: Tenant): Steps<ResourceCheck[]> {
  if (tenant.count(importedFiles) === 0) return [];
  const files = [...tenant.all(importedFiles)];
  return [
    ...(yield* checkCameIn(tenant, files)),
    ...(yield* checkOnce(tenant, files)),
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

/** Finds files that were not taken, and whose receipts never came in by another way. */
function* checkCameIn(tenant: Tenant, files: readonly ImportedFile[]): Steps<ResourceCheck[]> {
  const lastImported = files.reduce(
    (last, { number, status }) => (status === 'imported' ? Math.max(last, number) : last),
    0,
  );
  const checks: ResourceCheck[] = [];
  yield* forEachInSteps(files, (file) => {
    const lost = whatIsLost(tenant, file, lastImported);
    if (lost !== undefined) checks.push(fail(filesComeIn, lost));
  });
  return checks;
}

/** Says what never came in of a file; undefined when nothing is lost. */
function whatIsLost(tenant: Tenant, file: ImportedFile, lastImported: number): string | undefined {
  const { name, status, reason, missing, number } = file;
  if (status === 'imported' || !reason) return undefined;
  const lost = missing.filter((id) => tenant.find(receipts, 'uniqueReceiptId', id) === undefined);
  // Of a file that can't be read, only a later one can tell.
  if (missing.length === 0 ? lastImported > number || reason.code === 'wrong-name' : lost.length === 0)
    return undefined;
  const what =
    missing.length === 0 ? 'nothing came in its place' : `${lost.length} of its receipts never came in: ${named(lost)}`;
  const advice =
    status === 'withdrawn' ? 'keep a file until the batch has taken it' : 'correct the file and send it again';
  return `${name} ${reason.message} (${reason.code}), and ${what}; ${advice}`;
}

const named = (ids: readonly string[]): string =>
  [...ids.slice(0, maxNamed), ...(ids.length > maxNamed ? [`and ${ids.length - maxNamed} more`] : [])].join(', ');

const fail = (description: string, reason: string, requests: readonly string[] = []): ResourceCheck => ({
  description,
  verdict: 'FAIL',
  reason,
  requests,
});

/** Finds purchases that came by file under one id, and by API or by another file under another. */
function* checkOnce(tenant: Tenant, files: readonly ImportedFile[]): Steps<ResourceCheck[]> {
  if (tenant.journal.evicted > 0 || !files.some(({ imported }) => imported > 0)) return [];
  const byRequest = yield* requestsOfReceipts(tenant);
  const seen = new Map<string, ReceiptRow>();
  const doubled: { readonly first: ReceiptRow; readonly second: ReceiptRow }[] = [];
  const portion = new Portion();
  for (const row of tenant.all(receipts)) {
    if (portion.isFullWith(row.items.length * charactersOfItem)) yield;
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
function* requestsOfReceipts(tenant: Tenant): Steps<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  yield* forEachInSteps([...tenant.journal.exchanges()], (exchange) => {
    for (const { table, key } of changesOf(exchange)) if (table === receipts.name) found.set(key, exchange.id);
  });
  return found;
}
