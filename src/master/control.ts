/** How a person or a test drives the master; no part of the contract. */
import * as z from 'zod';
import { toTimestamp } from '../core/clock.ts';
import { durationForms, parseDuration } from '../core/duration.ts';
import { InputError } from '../core/errors.ts';
import { normalizeGuid } from '../core/ids.ts';
import type { FaultRule } from './faults.ts';
import type { LedgerAccount } from './ledger.ts';
import { jsonEntry } from './log.ts';
import type { LogEntry } from './log.ts';
import type { Parts } from './parts.ts';
import { redactText } from './redact.ts';
import { refusal } from './refusals.ts';
import type { Call, Reply } from './server.ts';
import { faultsIn, finite, guid, jsonOf, whole } from './wire.ts';

const ok = (body: unknown): Reply => ({ status: 200, body });

const syncSchema = z.strictObject({
  full: z.boolean('must be true or false').optional(),
  tenant: z.string('must be a text').optional(),
});

/** `POST /sync`: tells the service what changed, or with `{"full":true}` all that there is. */
export async function syncNow({ sync }: Parts, call: Call): Promise<Reply> {
  const request = bodyOf(call, syncSchema);
  if (!sync) {
    throw refusal(
      'NoServiceUrl',
      'The master knows of no service; start it with --service-url, as http://127.0.0.1:4010.',
    );
  }
  const { isComplete, items, calls } = await sync.run(request);
  return { status: isComplete ? 200 : 502, body: { complete: isComplete, items, calls: calls.map(jsonEntry) } };
}

const adjustSchema = z.strictObject({
  contactId: guid,
  definitionId: whole,
  amount: finite,
  description: z.string('must be a text').default('Own adjustment of the point master'),
  tenant: z.string('must be a text').min(1, 'must not be empty').optional(),
});

/** What the master adds to an account, or takes from it, for a reason of its own. */
export type OwnAdjustment = z.input<typeof adjustSchema>;

/** Throws a refusal for what is no adjustment. */
export function adjustAccount(parts: Parts, change: OwnAdjustment): LedgerAccount {
  const { tenant = parts.contract.tenant ?? 'default', ...sent } = checked(change, adjustSchema);
  const at = parts.now(tenant);
  const account = parts.ledger.adjust({ ...sent, tenant, at });
  const description = parts.showsPersonalData ? sent.description : redactText(sent.description);
  parts.log.add({ event: 'adjust', at, tenant, ...sent, description, balance: account.balance });
  return account;
}

/** `POST /adjust`: the master counts points of its own, as for a purchase at a till. */
export const adjust = (parts: Parts, call: Call): Reply =>
  // It is checked where it is done.
  ok(shownAccount(adjustAccount(parts, sentIn(call) as OwnAdjustment)));

/** `GET /ledger`: accounts and their balances; those of one contact with how they came to them. */
export function showLedger({ ledger }: Parts, { query }: Call): Reply {
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

export const showFaults = ({ faults }: Parts): Reply => ok({ faults: faults.list });

const faultsSchema = z.strictObject({ faults: z.array(z.unknown(), 'must be a list') });

/** `PUT /__master/faults`: replaces what is to go wrong. */
export function putFaults(parts: Parts, call: Call): Reply {
  const { faults } = bodyOf(call, faultsSchema);
  // It reads each rule and names every mistake.
  replaceFaults(parts, faults as FaultRule[]);
  return showFaults(parts);
}

export function clearFaults(parts: Parts): Reply {
  replaceFaults(parts, []);
  return showFaults(parts);
}

function replaceFaults({ faults }: Parts, rules: readonly FaultRule[]): void {
  try {
    faults.set(rules);
  } catch (error) {
    if (error instanceof InputError) throw refusal('InvalidInput', error.message);
    throw error;
  }
}

const resetSchema = z.strictObject({ tenant: z.string('must be a text').optional() });

/** `POST /__master/reset`: forgets accounts and which events were applied, of one tenant or of all, and the log. */
export function resetMaster({ ledger, log }: Parts, call: Call): Reply {
  const { tenant } = bodyOf(call, resetSchema);
  ledger.reset(tenant);
  log.clear();
  return ok({ reset: tenant ?? 'all' });
}

const longestWait = 60_000;

/** `GET /__master/log`: what happened, filtered by any field; `?wait=5s&atLeast=2` answers as soon as there are so many. */
export async function showLog({ log }: Parts, { query }: Call): Promise<Reply> {
  const { wait, atLeast, ...filter } = Object.fromEntries(query);
  const wanted = Number(atLeast ?? 1);
  if (!Number.isInteger(wanted) || wanted < 0)
    throw refusal('InvalidInput', `atLeast: expected a whole number, got "${atLeast}".`);
  const isOne = (entry: LogEntry): boolean => matches(entry, filter);
  await log.until(isOne, { atLeast: wanted, timeout: waitOf(wait) });
  const entries = log.entries.filter(isOne);
  return ok({ count: entries.length, complete: entries.length >= wanted, entries: entries.map(jsonEntry) });
}

const matches = (entry: LogEntry, filter: Readonly<Record<string, string>>): boolean =>
  Object.entries(filter).every(([name, wanted]) =>
    Object.entries(entry).some(([field, value]) => field === name && String(value) === wanted),
  );

function waitOf(sent: string | undefined): number {
  if (sent === undefined) return 0;
  const milliseconds = parseDuration(sent)?.milliseconds ?? -1;
  if (milliseconds >= 0 && milliseconds <= longestWait) return milliseconds;
  throw refusal('InvalidInput', `wait: expected ${durationForms}, at most 60s, got "${sent}".`);
}

/** A body may be left out where nothing has to be said. */
const sentIn = ({ body }: Call): unknown => (body.length === 0 ? {} : jsonOf(body));

const bodyOf = <Schema extends z.ZodType>(call: Call, schema: Schema): z.output<Schema> =>
  checked(sentIn(call), schema);

function checked<Schema extends z.ZodType>(sent: unknown, schema: Schema): z.output<Schema> {
  const parsed = schema.safeParse(sent);
  if (parsed.success) return parsed.data;
  throw refusal('InvalidInput', `${faultsIn(parsed.error)}.`);
}
