/** Handles the control requests of a person or a test, which are no part of the contract. */
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
import type { PointMasterHttpRequest, PointMasterResponse } from './server.ts';
import { describeIssues, finiteNumber, guidSchema, decodeJson, wholeNumber } from '../schemas.ts';

const ok = (body: unknown): PointMasterResponse => ({ status: 200, body });

const syncSchema = z.strictObject({
  full: z.boolean('must be true or false').optional(),
  tenant: z.string('must be a text').optional(),
});

/** Handles `POST /sync`: sends changed balances to the service, or with `{"full":true}` all of them. */
export async function postSync({ sync }: Dependencies, request: PointMasterHttpRequest): Promise<PointMasterResponse> {
  const syncRequest = parseInput(request, syncSchema);
  if (!sync) {
    throw pointMasterError(
      'NoServiceUrl',
      'The master knows of no service; start it with --service-url, as http://127.0.0.1:4010.',
    );
  }
  const { isComplete, items, calls } = await sync.run(syncRequest);
  return { status: isComplete ? 200 : 502, body: { complete: isComplete, items, calls: calls.map(serializeEntry) } };
}

const adjustSchema = z.strictObject({
  contactId: guidSchema,
  definitionId: wholeNumber,
  amount: finiteNumber,
  description: z.string('must be a text').default('Own adjustment of the point master'),
  tenant: z.string('must be a text').min(1, 'must not be empty').optional(),
});

/** Adds points to an account or takes them from it, without an event. */
export type LedgerAdjustment = z.input<typeof adjustSchema>;

/** Adjusts an account. Throws a `PointMasterError` for an invalid adjustment. */
export function adjustAccount(dependencies: Dependencies, change: LedgerAdjustment): LedgerAccount {
  const { tenant = dependencies.contract.tenant ?? 'default', ...sent } = validate(change, adjustSchema);
  const at = dependencies.now(tenant);
  const account = dependencies.ledger.adjust({ ...sent, tenant, at });
  const description = dependencies.showsPersonalData ? sent.description : redactText(sent.description);
  dependencies.log.add({ event: 'adjust', at, tenant, ...sent, description, balance: account.balance });
  return account;
}

/** Handles `POST /adjust`: changes an account without an event, for example for a purchase at a till. */
export const postAdjustment = (dependencies: Dependencies, request: PointMasterHttpRequest): PointMasterResponse =>
  // adjustAccount validates it.
  ok(serializeAccount(adjustAccount(dependencies, parseBody(request) as LedgerAdjustment)));

/** Handles `GET /ledger`: returns accounts with their balances, and with their transactions for one contact. */
export function getLedger({ ledger }: Dependencies, { query }: PointMasterHttpRequest): PointMasterResponse {
  const id = query.get('contactId') ?? undefined;
  const tenant = query.get('tenant') ?? undefined;
  const accounts = ledger.accounts({ tenant, contactId: id && (normalizeGuid(id) ?? id) });
  return ok({
    count: accounts.length,
    accounts: accounts.map((account) =>
      id === undefined ? serializeAccount(account) : serializeAccountWithTransactions(account),
    ),
  });
}

/** Serializes an account; `synced` is true when this balance was sent, whatever the service did with it. */
const serializeAccount = ({ tenant, contactId, definitionId, balance, lastSync }: LedgerAccount) => ({
  tenant,
  contactId,
  definitionId,
  balance,
  synced: lastSync?.amount === balance,
  lastSync: lastSync ? { amount: lastSync.amount, timeStamp: toTimestamp(lastSync.at) } : null,
});

const serializeAccountWithTransactions = (account: LedgerAccount) => ({
  ...serializeAccount(account),
  transactions: account.entries.map(({ transactionDate, amount, description, eventId }) => ({
    transactionDate: toTimestamp(transactionDate),
    amount,
    description,
    eventId: eventId ?? null,
  })),
});

export const getFaults = ({ faults }: Dependencies): PointMasterResponse => ok({ faults: faults.list });

const faultsSchema = z.strictObject({ faults: z.array(z.unknown(), 'must be a list') });

/** Handles `PUT /__master/faults`: replaces the fault rules. */
export function putFaults(dependencies: Dependencies, request: PointMasterHttpRequest): PointMasterResponse {
  const { faults } = parseInput(request, faultsSchema);
  // PointMasterFaults.set validates each rule and names every mistake.
  replaceFaults(dependencies, faults as PointMasterFaultRule[]);
  return getFaults(dependencies);
}

export function deleteFaults(dependencies: Dependencies): PointMasterResponse {
  replaceFaults(dependencies, []);
  return getFaults(dependencies);
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

/** Handles `POST /__master/reset`: drops the log, and the accounts and applied events of one tenant or of all. */
export function postReset({ ledger, log }: Dependencies, request: PointMasterHttpRequest): PointMasterResponse {
  const { tenant } = parseInput(request, resetSchema);
  ledger.reset(tenant);
  log.clear();
  return ok({ reset: tenant ?? 'all' });
}

const maxWait = 60_000;

/** Handles `GET /__master/log`: returns entries by any field; `?wait=5s&atLeast=2` waits until there are so many. */
export async function getLog({ log }: Dependencies, { query }: PointMasterHttpRequest): Promise<PointMasterResponse> {
  const { wait, atLeast, ...filter } = Object.fromEntries(query);
  const wanted = Number(atLeast ?? 1);
  if (!Number.isInteger(wanted) || wanted < 0)
    throw pointMasterError('InvalidInput', `atLeast: must be a whole number, not "${atLeast}".`);
  const isWanted = (entry: PointMasterLogEntry): boolean => matches(entry, filter);
  await log.waitFor(isWanted, { atLeast: wanted, timeout: parseWait(wait) });
  const entries = log.entries.filter(isWanted);
  return ok({ count: entries.length, complete: entries.length >= wanted, entries: entries.map(serializeEntry) });
}

const matches = (entry: PointMasterLogEntry, filter: Readonly<Record<string, string>>): boolean =>
  Object.entries(filter).every(([name, wanted]) =>
    Object.entries(entry).some(([field, value]) => field === name && String(value) === wanted),
  );

function parseWait(sent: string | undefined): number {
  if (sent === undefined) return 0;
  const milliseconds = parseDuration(sent)?.milliseconds ?? -1;
  if (milliseconds >= 0 && milliseconds <= maxWait) return milliseconds;
  throw pointMasterError('InvalidInput', `wait: must be ${durationForms}, at most 60s, not "${sent}".`);
}

/** Parses the body, which may be left out when every field is optional. */
const parseBody = ({ body }: PointMasterHttpRequest): unknown => (body.length === 0 ? {} : decodeJson(body));

const parseInput = <Schema extends z.ZodType>(request: PointMasterHttpRequest, schema: Schema): z.output<Schema> =>
  validate(parseBody(request), schema);

function validate<Schema extends z.ZodType>(sent: unknown, schema: Schema): z.output<Schema> {
  const parsed = schema.safeParse(sent);
  if (parsed.success) return parsed.data;
  throw pointMasterError('InvalidInput', `${describeIssues(parsed.error)}.`);
}
