/** Many transactions at once: bad rows are told of at once, the others are queued. */
import { fieldErrors, unknownFields } from '../../core/fields.ts';
import { jobs } from '../../core/jobs.ts';
import type { Job } from '../../core/jobs.ts';
import type { Table } from '../../core/state.ts';
import type { Tenant } from '../../core/tenant.ts';
import { didYouMean } from '../../core/warning.ts';
import { findContact } from '../contacts/lookup.ts';
import { refusal } from '../refusals.ts';
import { retailerOf } from '../retailer/operations.ts';
import { findDefinition, obtainAccount } from './accounts.ts';
import { record } from './ledger.ts';
import { typeOf } from './signs.ts';
import { validityFault, warnOfEnd, withoutIgnored } from './validity.ts';
import { bulkItem } from './wire.ts';
import type { BulkAnswer, BulkItem } from './wire.ts';

/** Limits: items per request. */
const maxBulkItems = 1000;

/** */
const rememberedFor = 24 * 3_600_000;

/** A bulk call that came with an Idempotency-Key, and what it was answered. */
interface RememberedBulk {
  readonly key: string;
  readonly until: number;
  readonly rows: string;
  readonly answer: BulkAnswer;
  /** The job that adds its rows; null when none of them could be accepted. */
  readonly jobId: string | null;
  /** Whether nothing of it is left to do. */
  readonly isDone: boolean;
}

export const rememberedBulks: Table<RememberedBulk> = {
  name: 'rememberedBulks',
  scope: 'state',
  key: ({ key }) => key,
  lists: { byEnd: ({ until }) => ({ of: 'all', order: until }) },
};

/** The payload of a job of kind `points.transactions`: rows with ids in our own form. */
interface BulkPoints {
  readonly rows: readonly Row[];
  readonly key?: string;
}

interface Row extends Omit<BulkItem, 'contactId' | 'definitionId'> {
  readonly contactId: string;
  readonly definitionId: number;
}

/** Queues transactions to be added. Throws `NewPointSystemNotActive` or `TooManyItems`. */
export function queueTransactions(tenant: Tenant, items: readonly unknown[], key: string | undefined): BulkAnswer {
  if (!retailerOf(tenant).isPointSystemActive) throw refusal('NewPointSystemNotActive');
  if (items.length > maxBulkItems) {
    const message = `Too many items: ${items.length}, at most ${maxBulkItems} fit in one call.`;
    throw refusal('TooManyItems', { message });
  }
  const rows = JSON.stringify(items);
  const remembered = key === undefined ? undefined : recall(tenant, key, rows);
  if (remembered) return remembered;
  const read = items.map((item, i) => readRow(tenant, item, i));
  const jobId = enqueue(tenant, read, key);
  const answer = answerOf(read, items);
  if (key === undefined) return answer;
  const until = tenant.now() + rememberedFor;
  tenant.put(rememberedBulks, { key, until, rows, answer, jobId, isDone: jobId === null });
  return answer;
}

/** Queues the rows that can be accepted; answers the id of the job, or null when there are none. */
function enqueue(tenant: Tenant, read: readonly Read[], key: string | undefined): string | null {
  const rows = read.flatMap((row) => ('row' in row ? [row.row] : []));
  if (rows.length === 0) return null;
  return tenant.enqueue('points.transactions', { rows, ...(key !== undefined && { key }) }).id;
}

/** Does the queued work. */
export function addTransactions(tenant: Tenant, { rows, key }: BulkPoints, { id: jobId }: Job): void {
  for (const { contactId, definitionId, amount, timeStamp, source, description, validFrom, validTo } of rows) {
    record(tenant, obtainAccount(tenant, contactId, definitionId), {
      amount,
      type: typeOf(amount),
      source,
      description,
      ...(timeStamp && { transactionDate: timeStamp }),
      ...(validFrom && { validFrom }),
      ...(validTo && { validTo }),
    });
  }
  const remembered = key === undefined ? undefined : tenant.get(rememberedBulks, key);
  if (remembered?.jobId === jobId) tenant.put(rememberedBulks, { ...remembered, isDone: true });
}

/** What the same key was answered in the last day; keys that are older, or whose work won't be done, are forgotten. */
function recall(tenant: Tenant, key: string, rows: string): BulkAnswer | undefined {
  const byEnd = tenant.list(rememberedBulks, 'byEnd', 'all');
  for (const old of byEnd.page(0, byEnd.countBelow(tenant.now() + 1))) tenant.remove(rememberedBulks, old);
  const remembered = tenant.get(rememberedBulks, key);
  if (!remembered) return undefined;
  const failure = whyNotDone(tenant, remembered);
  if (failure !== undefined) {
    tenant.warn('bulk-sent-anew', `the Idempotency-Key "${key}" was sent before, but ${failure}; it counts as new`);
    return undefined;
  }
  const difference = remembered.rows === rows ? '' : ', although these are other rows';
  const message = `the Idempotency-Key "${key}" was sent before; it is answered as then and nothing is added${difference}`;
  tenant.warn('repeated-bulk', message);
  return remembered.answer;
}

/** Why what was accepted under a key was not done and never will be; undefined when it was done, or is still queued. */
function whyNotDone(tenant: Tenant, { jobId, isDone }: RememberedBulk): string | undefined {
  const job = tenant.get(jobs, jobId ?? '');
  if (isDone || job?.status === 'queued') return undefined;
  return job
    ? `its job ${job.id} failed (${job.error})`
    : `its job ${jobId} is no longer in the queue and was not done`;
}

type Read =
  | { readonly row: Row }
  | { readonly fault: string; readonly missing?: 'contact' | 'definition'; readonly id?: string | number };

function readRow(tenant: Tenant, item: unknown, i: number): Read {
  const parsed = bulkItem.safeParse(item);
  if (!parsed.success) {
    const faults = fieldErrors(parsed.error).map(({ field, errorDescription }) =>
      `${field} ${errorDescription}`.trim(),
    );
    return { fault: `[${i}] ${faults.join('; ')}` };
  }
  const unknown = unknownIn(tenant, item, i);
  if (unknown !== undefined) return { fault: unknown };
  const { contactId, definitionId } = parsed.data;
  const contact = findContact(tenant, String(contactId));
  if (!contact) return { fault: `[${i}] no contact has the id ${contactId}`, missing: 'contact', id: contactId };
  const definition = findDefinition(tenant, definitionId);
  if (!definition) {
    return { fault: `[${i}] no point definition has the id ${definitionId}`, missing: 'definition', id: definitionId };
  }
  const counted = withoutIgnored(tenant, parsed.data, `[${i}].`);
  const fault = validityFault(counted);
  if (fault !== undefined) return { fault: `[${i}] validTo ${fault}` };
  warnOfEnd(tenant, counted, counted.amount);
  return { row: { ...counted, contactId: contact.id, definitionId: definition.id } };
}

/** Warns of the fields of a row that nobody reads; answers what is wrong where they are refused. */
function unknownIn(tenant: Tenant, item: unknown, i: number): string | undefined {
  const { fieldValidation } = tenant.settings;
  const unknown = fieldValidation === 'ignore' ? [] : unknownFields(bulkItem, item);
  const described = unknown.map(
    ({ name, known }) => `"[${i}].${name}" is not a field that the service reads${didYouMean(name, known)}`,
  );
  if (fieldValidation === 'strict') return described.length > 0 ? described.join('; ') : undefined;
  for (const message of described) tenant.warn('unknown-field', message);
  return undefined;
}

function answerOf(read: readonly Read[], items: readonly unknown[]): BulkAnswer {
  const faults = read.flatMap((row) => ('fault' in row ? [row] : []));
  const missing = (what: 'contact' | 'definition'): unknown[] => [
    ...new Set(faults.flatMap((row) => (row.missing === what ? [row.id] : []))),
  ];
  return {
    notAccepted: items.filter((_, i) => 'fault' in (read[i] ?? {})),
    errorMessages: faults.map(({ fault }) => fault),
    missingDefinitionIds: missing('definition'),
    missingContactIds: missing('contact'),
  };
}
