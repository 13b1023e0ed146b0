import * as z from '../core/validation/deferred-zod.ts';
import { toTimestamp } from '../core/time/clock.ts';
import { apiResponse } from '../core/exchange/endpoint.ts';
import { integerParameter } from '../core/exchange/pagination.ts';
import type { Tenant } from '../core/tenant/tenant.ts';
import { InputError } from '../core/lib/input-error.ts';
import { requiredText, text, upTo } from '../core/validation/field-types.ts';
import { apiError, invalidFieldError } from '../service/errors/catalog.ts';
import { findImporter } from '../imports/importers-of-tenants.ts';
import { importBatches } from '../service/imports/tables.ts';
import { waitField } from './input/field-formats.ts';
import { followTenant, waitUntil } from './input/long-poll.ts';
import { adminEndpoint, pageParameters, tenantParameter, tenantQuery } from './input/admin-context.ts';
import type { AdminContext } from './input/admin-context.ts';
import { importBatchSchema, serializeImportBatch } from './serialize/imports.ts';

const tag = 'Control: imports';

const listQuery = z.object({
  ...tenantParameter,
  ...pageParameters,
  wait: waitField.optional().describe('Responds when there are enough batches, or after this much real time: 5s'),
  atLeast: integerParameter(0).optional().describe('Waits for this many batches (default: 1)'),
});

export const importListSchema = z.strictObject({
  folder: z.string().nullable().describe('Names the folder for files; null without `importFolder`'),
  everyMs: z.int().describe('Interval between two batches'),
  nextBatch: z.string().nullable().describe("On the tenant's clock"),
  waiting: z
    .array(z.strictObject({ name: z.string(), reason: z.string() }))
    .describe('Files that the last batch left alone, since they are not complete'),
  count: z.int().describe('Counts the batches that took or refused a file, on all pages'),
  items: z.array(importBatchSchema).describe('The newest last'),
});

const batchesOf = (tenant: Tenant) => tenant.list(importBatches, 'all', 'all');

async function listImports(
  { tenant, signal }: AdminContext,
  { offset, limit, wait, atLeast = 1 }: z.output<typeof listQuery>,
): Promise<z.input<typeof importListSchema>> {
  const isMet = (): boolean => batchesOf(tenant).size >= atLeast;
  if (wait !== undefined) await waitUntil(tenant, { isMet, milliseconds: wait, signal });
  const importer = findImporter(tenant);
  const keys = batchesOf(tenant).page(offset, limit);
  return {
    folder: importer?.folder.path ?? null,
    everyMs: tenant.settings.importEvery,
    nextBatch: importer ? toTimestamp(importer.nextBatch) : null,
    waiting: (importer?.waiting ?? []).map(({ name, reason }) => ({ name, reason })),
    count: batchesOf(tenant).size,
    items: keys
      .flatMap((key) => tenant.get(importBatches, key) ?? [])
      .map((batch) => serializeImportBatch(tenant, batch)),
  };
}

const dropBody = z.object({
  name: requiredText.max(...upTo(200, 'characters')).describe('Name of the file'),
  content: text.describe('Text of the file, as an exporter would upload it'),
});

const dropSchema = z.strictObject({ name: z.string(), bytes: z.int(), nextBatch: z.string() });

async function dropFile(
  tenant: Tenant,
  { name, content }: z.output<typeof dropBody>,
): Promise<z.input<typeof dropSchema>> {
  const importer = findImporter(tenant);
  if (!importer) {
    throw apiError('Conflict', {
      message: 'There is no folder for files: start the simulator with --import-folder <folder>.',
    });
  }
  try {
    const bytes = await importer.folder.drop(name, content);
    return { name, bytes, nextBatch: toTimestamp(importer.nextBatch) };
  } catch (error) {
    if (error instanceof InputError) throw invalidFieldError('name', error.message);
    throw error;
  }
}

export const importEndpoints = [
  adminEndpoint({
    id: 'listImports',
    method: 'GET',
    path: '/__admin/imports',
    tag,
    summary: 'Lists the batches that imported receipts from files: what each took, ignored and refused, and why',
    query: listQuery,
    responses: { 200: importListSchema },
    retry: 'safe',
    examples: [{ status: 200 }],
    handle: async (context, { query }) => apiResponse(200, await followTenant(context, query, listImports)),
  }),
  adminEndpoint({
    id: 'dropImportFile',
    method: 'POST',
    path: '/__admin/imports',
    tag,
    summary: 'Puts a file of receipts into the import folder, for the next batch',
    query: tenantQuery,
    body: dropBody,
    // It is the text of a file.
    bodyRules: { maxTextLength: Number.POSITIVE_INFINITY },
    responses: { 201: dropSchema },
    errors: ['Conflict'],
    retry: 'idempotent',
    examples: [{ body: { name: '20260301120000_1_transactions.xml', content: '<transactions/>' }, status: 409 }],
    handle: async ({ tenant }, { body }) => apiResponse(201, await dropFile(tenant, body)),
  }),
];
