/** Adds many transactions at once: bad rows are reported at once, the others are queued. */
import { fieldErrors, unknownFields } from '../../core/validation/unknown-fields.ts';
import { jobs } from '../../core/time/jobs.ts';
import type { Job } from '../../core/time/jobs.ts';
import type { Steps } from '../../core/time/steps.ts';
import type { Table } from '../../core/state/state.ts';
import type { TenantContext } from '../../core/tenant/context.ts';
import { didYouMeanAmong } from '../../core/lib/suggest.ts';
import { findContact } from '../contacts/lookup.ts';
import { apiError } from '../errors/catalog.ts';
import { retailerOf } from '../retailer/operations.ts';
import { findPointDefinition, getOrCreatePointAccount } from './lookup.ts';
import { recordTransaction } from './ledger/ledger.ts';
import { transactionTypeOf } from './ledger/transaction-sign.ts';
import { validityError, warnOfValidTo, withoutIgnoredValidFrom } from './ledger/validity.ts';
import { bulkItem } from './schema.ts';
import type { BulkResponse, BulkItem } from './schema.ts';

/** Limits the items of one request. */
export const maxBulkItems = 1000;

/** Says how long an Idempotency-Key is remembered, in ms. */
const idempotencyWindow = 24 * 3_600_000;

/** Describes a bulk call that came with an Idempotency-Key, and the response that it got. */
interface BulkIdempotencyRecord {
  readonly key: string;
  readonly until: number;
  readonly rows: string;
  readonly answer: BulkResponse;
  /** Holds the job that adds its rows; null when none of them could be accepted. */
  readonly jobId: string | null;
  /** True when nothing of it is left to do. */
  readonly isDone: boolean;
}

export const bulkIdempotencyRecords: Table<BulkIdempotencyRecord> = {
  name: 'rememberedBulks',
  scope: 'state',
  key: ({ key }) => key,
  lists: { byEnd: ({ until }) => ({ of: 'all', order: until }) },
};

/** Describes the payload of a job of kind `points.transactions`: rows with ids in our own form. */
interface BulkPointsPayload {
  readonly rows: readonly BulkPointRow[];
  readonly key?: string;
}

interface BulkPointRow extends Omit<BulkItem, 'contactId' | 'definitionId'> {
  readonly contactId: string;
  readonly definitionId: number;
}

/** Queues transactions to be added. Throws `NewPointSystemNotActive`. */
export function queueTransactions(
  tenant: TenantContext,
  items: readonly unknown[],
  key: string | undefined,
): BulkResponse {
  if (!retailerOf(tenant).isPointSystemActive) throw apiError('NewPointSystemNotActive');
  const rows = JSON.stringify(items);
  const remembered = key === undefined ? undefined : recall(tenant, key, rows);
  if (remembered) return remembered;
  const read = items.map((item, i) => readRow(tenant, item, i));
  const jobId = enqueue(tenant, read, key);
  const answer = answerOf(read, items);
  if (key === undefined) return answer;
  const until = tenant.now() + idempotencyWindow;
  tenant.put(bulkIdempotencyRecords, { key, until, rows, answer, jobId, isDone: jobId === null });
  return answer;
}

/** Queues the rows that can be accepted; returns the id of the job, or null when there are none. */
function enqueue(tenant: TenantContext, read: readonly ParsedRow[], key: string | undefined): string | null {
  const rows = read.flatMap((row) => ('row' in row ? [row.row] : []));
  if (rows.length === 0) return null;
  return tenant.enqueue('points.transactions', { rows, ...(key !== undefined && { key }) }).id;
}

/** Does the queued work. */
export function* addTransactions(tenant: TenantContext, { rows, key }: BulkPointsPayload, { id: jobId }: Job): Steps {
  for (const { contactId, definitionId, amount, timeStamp, source, description, validFrom, validTo } of rows) {
    recordTransaction(tenant, getOrCreatePointAccount(tenant, contactId, definitionId), {
      amount,
      type: transactionTypeOf(amount),
      source,
      description,
      ...(timeStamp && { transactionDate: timeStamp }),
      ...(validFrom && { validFrom }),
      ...(validTo && { validTo }),
    });
    yield;
  }
  const remembered = key === undefined ? undefined : tenant.get(bulkIdempotencyRecords, key);
  if (remembered?.jobId === jobId) tenant.put(bulkIdempotencyRecords, { ...remembered, isDone: true });
}

/** Returns the response to the same key of the last day; older keys, and those whose job is gone, are forgotten. */
function recall(tenant: TenantContext, key: string, rows: string): BulkResponse | undefined {
  const byEnd = tenant.list(bulkIdempotencyRecords, 'byEnd', 'all');
  for (const old of byEnd.page(0, byEnd.countBelow(tenant.now() + 1))) tenant.remove(bulkIdempotencyRecords, old);
  const remembered = tenant.get(bulkIdempotencyRecords, key);
  if (!remembered) return undefined;
  const failure = whyNotDone(tenant, remembered);
  if (failure !== undefined) {
    tenant.warn('bulk-sent-again', `the Idempotency-Key "${key}" was sent before, but ${failure}; it counts as new`);
    return undefined;
  }
  const difference = remembered.rows === rows ? '' : ', although these are other rows';
  const repeated = `the Idempotency-Key "${key}" was sent before; the response is the same as then, and nothing is added`;
  tenant.warn('repeated-bulk', `${repeated}${difference}`);
  return remembered.answer;
}

/** Says why what was accepted under a key never will be done; undefined when it was done, or is still queued. */
function whyNotDone(tenant: TenantContext, { jobId, isDone }: BulkIdempotencyRecord): string | undefined {
  const job = tenant.get(jobs, jobId ?? '');
  if (isDone || job?.status === 'queued') return undefined;
  return job
    ? `its job ${job.id} failed (${job.error})`
    : `its job ${jobId} is no longer in the queue and was not done`;
}

type ParsedRow =
  | { readonly row: BulkPointRow }
  | { readonly reason: string; readonly missing?: 'contact' | 'definition'; readonly id?: string | number };

function readRow(tenant: TenantContext, item: unknown, i: number): ParsedRow {
  const parsed = bulkItem.safeParse(item);
  if (!parsed.success) {
    const reasons = fieldErrors(parsed.error).map(({ field, errorDescription }) =>
      `${field} ${errorDescription}`.trim(),
    );
    return { reason: `[${i}] ${reasons.join('; ')}` };
  }
  const unknown = unknownIn(tenant, item, i);
  if (unknown !== undefined) return { reason: unknown };
  const { contactId, definitionId } = parsed.data;
  const contact = findContact(tenant, String(contactId));
  if (!contact) return { reason: `[${i}] no contact has the id ${contactId}`, missing: 'contact', id: contactId };
  const definition = findPointDefinition(tenant, definitionId);
  if (!definition) {
    return { reason: `[${i}] no point definition has the id ${definitionId}`, missing: 'definition', id: definitionId };
  }
  const counted = withoutIgnoredValidFrom(tenant, parsed.data, `[${i}].`);
  const invalid = validityError(counted);
  if (invalid !== undefined) return { reason: `[${i}] validTo ${invalid}` };
  warnOfValidTo(tenant, counted, counted.amount);
  return { row: { ...counted, contactId: contact.id, definitionId: definition.id } };
}

/** Warns of the fields of a row that nobody reads; returns what is wrong where they are refused. */
function unknownIn(tenant: TenantContext, item: unknown, i: number): string | undefined {
  const { fieldValidation } = tenant.settings;
  const unknown = fieldValidation === 'ignore' ? [] : unknownFields(bulkItem, item);
  const described = unknown.map(
    ({ name, known }) => `"[${i}].${name}" is not a field that the service reads${didYouMeanAmong(name, known)}`,
  );
  if (fieldValidation === 'strict') return described.length > 0 ? described.join('; ') : undefined;
  for (const message of described) tenant.warn('unknown-field', message);
  return undefined;
}

function answerOf(read: readonly ParsedRow[], items: readonly unknown[]): BulkResponse {
  const rejected = read.flatMap((row) => ('reason' in row ? [row] : []));
  const missing = (what: 'contact' | 'definition'): unknown[] => [
    ...new Set(rejected.flatMap((row) => (row.missing === what ? [row.id] : []))),
  ];
  return {
    notAccepted: items.filter((_, i) => 'reason' in (read[i] ?? {})),
    errorMessages: rejected.map(({ reason }) => reason),
    missingDefinitionIds: missing('definition'),
    missingContactIds: missing('contact'),
  };
}
