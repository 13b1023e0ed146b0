/** How a person or a test drives the master; no part of the contract. */
import * as z from 'zod';
import { toTimestamp } from '../../core/time/clock.ts';
import { durationForms, parseDuration } from '../../core/lib/duration.ts';
import { InputError } from '../../core/lib/input-error.ts';
import { normalizeGuid } from '../../core/lib/random.ts';
import type { PointMasterFaultRule } from '../faults.ts';
import type { LedgerAccount } from '../ledger.ts';
import { serializeEntry } from '../event-log.ts';
import type { PointMasterLogEntry } from '../event-log.ts';
import type { Dependencies } from '../dependencies.ts';
import { redactText } from '../redact.ts';
import { pointMasterError } from '../errors.ts';
import type { PointMasterRequest, PointMasterResponse } from './server.ts';
import { describeIssues, finiteNumber, guidSchema, decodeJson, wholeNumber } from '../schemas.ts';

const ok = (body: unknown): PointMasterResponse => ({ status: 200, body });

const syncSchema = z.strictObject({
  full: z.boolean('must be true or false').optional(),
  tenant: z.string('must be a text').optional(),
});

/** `POST /sync`: tells the service what changed, or with `{"full":true}` all that there is. */
export async function postSync({ sync }: Dependencies, call: PointMasterRequest): Promise<PointMasterResponse> {
  const request = bodyOf(call, syncSchema);
  if (!sync) {
    throw pointMasterError(
      'NoServiceUrl',
      'The master knows of no service; start it with --service-url, as http://127.0.0.1:4010.',
    );
  }
  const { isComplete, items, calls } = await sync.run(request);
  return { status: isComplete ? 200 : 502, body: { complete: isComplete, items, calls: calls.map(serializeEntry) } };
}

const adjustSchema = z.strictObject({
  contactId: guidSchema,
  definitionId: wholeNumber,
  amount: finiteNumber,
  description: z.string('must be a text').default('Own adjustment of the point master'),
  tenant: z.string('must be a text').min(1, 'must not be empty').optional(),
});

/** What the master adds to an account, or takes from it, for a reason of its own. */
export type LedgerAdjustment = z.input<typeof adjustSchema>;

/** Throws a refusal for what is no adjustment. */
export function adjustAccount(parts: Dependencies, change: LedgerAdjustment): LedgerAccount {
  const { tenant = parts.contract.tenant ?? 'default', ...sent } = checked(change, adjustSchema);
  const at = parts.now(tenant);
  const account = parts.ledger.adjust({ ...sent, tenant, at });
  const description = parts.showsPersonalData ? sent.description : redactText(sent.description);
  parts.log.add({ event: 'adjust', at, tenant, ...sent, description, balance: account.balance });
  return account;
}

/** `POST /adjust`: the master counts points of its own, as for a purchase at a till. */
export const postAdjustment = (parts: Dependencies, call: PointMasterRequest): PointMasterResponse =>
  // It is checked where it is done.
  ok(shownAccount(adjustAccount(parts, sentIn(call) as LedgerAdjustment)));

/** `GET /ledger`: accounts and their balances; those of one contact with how they came to them. */
export function getLedger({ ledger }: Dependencies, { query }: PointMasterRequest): PointMasterResponse {
  const id = query.get('contactId') ?? undefined;
  const tenant = query.get('tenant') ?? undefined;
  const accounts = ledger.accounts({ tenant, contactId: id && (normalizeGuid(id) ?? id) });
  return ok({
    count: accounts.length,
    accounts: accounts.map((account) => (id === undefined ? shownAccount(account) : shownWhole(account))),
  });
}

/** `synced` means that the service was told this balance; what it made of that is its own. */
const shownAccount = ({ tenant, contactId, definitionId, balance, told }: LedgerAccount) => ({
  tenant,
  contactId,
  definitionId,
  balance,
  synced: told?.amount === balance,
  told: told ? { amount: told.amount, timeStamp: toTimestamp(told.at) } : null,
});

const shownWhole = (account: LedgerAccount) => ({
  ...shownAccount(account),
  transactions: account.entries.map(({ transactionDate, amount, description, eventId }) => ({
    transactionDate: toTimestamp(transactionDate),
    amount,
    description,
    eventId: eventId ?? null,
  })),
});

export const getFaults = ({ faults }: Dependencies): PointMasterResponse => ok({ faults: faults.list });

const faultsSchema = z.strictObject({ faults: z.array(z.unknown(), 'must be a list') });

/** `PUT /__master/faults`: replaces what is to go wrong. */
export function putFaults(parts: Dependencies, call: PointMasterRequest): PointMasterResponse {
  const { faults } = bodyOf(call, faultsSchema);
  // It reads each rule and names every mistake.
  replaceFaults(parts, faults as PointMasterFaultRule[]);
  return getFaults(parts);
}

export function deleteFaults(parts: Dependencies): PointMasterResponse {
  replaceFaults(parts, []);
  return getFaults(parts);
}

function replaceFaults({ faults }: Dependencies, rules: readonly PointMasterFaultRule[]): void {
  try {
    faults.set(rules);
  } catch (error) {
    if (error instanceof InputError) throw pointMasterError('InvalidInput', error.message);
    throw error;
  }
}

const resetSchema = z.strictObject({ tenant: z.string('must be a text').optional() });

/** `POST /__master/reset`: forgets accounts and which events were applied, of one tenant or of all, and the log. */
export function postReset({ ledger, log }: Dependencies, call: PointMasterRequest): PointMasterResponse {
  const { tenant } = bodyOf(call, resetSchema);
  ledger.reset(tenant);
  log.clear();
  return ok({ reset: tenant ?? 'all' });
}

const longestWait = 60_000;

/** `GET /__master/log`: what happened, filtered by any field; `?wait=5s&atLeast=2` answers as soon as there are so many. */
export async function getLog({ log }: Dependencies, { query }: PointMasterRequest): Promise<PointMasterResponse> {
  const { wait, atLeast, ...filter } = Object.fromEntries(query);
  const wanted = Number(atLeast ?? 1);
  if (!Number.isInteger(wanted) || wanted < 0)
    throw pointMasterError('InvalidInput', `atLeast: expected a whole number, got "${atLeast}".`);
  const isOne = (entry: PointMasterLogEntry): boolean => matches(entry, filter);
  await log.waitFor(isOne, { atLeast: wanted, timeout: waitOf(wait) });
  const entries = log.entries.filter(isOne);
  return ok({ count: entries.length, complete: entries.length >= wanted, entries: entries.map(serializeEntry) });
}

const matches = (entry: PointMasterLogEntry, filter: Readonly<Record<string, string>>): boolean =>
  Object.entries(filter).every(([name, wanted]) =>
    Object.entries(entry).some(([field, value]) => field === name && String(value) === wanted),
  );

function waitOf(sent: string | undefined): number {
  if (sent === undefined) return 0;
  const milliseconds = parseDuration(sent)?.milliseconds ?? -1;
  if (milliseconds >= 0 && milliseconds <= longestWait) return milliseconds;
  throw pointMasterError('InvalidInput', `wait: expected ${durationForms}, at most 60s, got "${sent}".`);
}

/** A body may be left out where nothing has to be said. */
const sentIn = ({ body }: PointMasterRequest): unknown => (body.length === 0 ? {} : decodeJson(body));

const bodyOf = <Schema extends z.ZodType>(call: PointMasterRequest, schema: Schema): z.output<Schema> =>
  checked(sentIn(call), schema);

function checked<Schema extends z.ZodType>(sent: unknown, schema: Schema): z.output<Schema> {
  const parsed = schema.safeParse(sent);
  if (parsed.success) return parsed.data;
  throw pointMasterError('InvalidInput', `${describeIssues(parsed.error)}.`);
}
