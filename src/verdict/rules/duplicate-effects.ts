/** What took effect more than once, in the words of the shop. */
import { effectsOf } from '../../core/state/effects.ts';
import type { Effect } from '../../core/state/effects.ts';
import type { Tenant } from '../../core/tenant/tenant.ts';
import { challenges } from '../../service/challenges/schema.ts';
import { contacts } from '../../service/contacts/schema.ts';
import { pointAccounts } from '../../service/points/tables.ts';
import { promotionAssignments } from '../../service/promotions/schema.ts';
import { changesBy, isAbortedByClient } from '../history/attempt.ts';
import type { Attempt } from '../history/attempt.ts';
import type { Operation } from '../history/operations.ts';
import { requestLine, describeOutcome } from './retry-rule.ts';

interface DuplicateEffect {
  readonly message: string;
  readonly attempts: readonly Attempt[];
}

/** Effects of one kind that came on top of those that were meant, told in a sentence each. */
type Words = (effects: readonly Effect[], tenant: Tenant) => readonly string[];

const plural = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;

function describeContact(tenant: Tenant, contactId: unknown): string {
  const contact = typeof contactId === 'string' ? tenant.get(contacts, contactId) : undefined;
  const { memberNumber, externalId, email } = contact?.attributes ?? {};
  const name = memberNumber ?? externalId ?? email ?? contactId;
  return name === undefined ? 'a contact that is gone' : `contact ${String(name)}`;
}

const numberIn = (effect: Effect, field: string, side: 'from' | 'to' = 'to'): number => {
  const value = effect.fields[field]?.[side];
  return typeof value === 'number' ? value : 0;
};

const toText = (effect: Effect, ...fields: readonly string[]): string =>
  String(fields.map((field) => effect.fields[field]?.to).find((value) => (value ?? null) !== null) ?? effect.key);

/** Adds up a number by contact. */
function sums(effects: readonly Effect[], of: (effect: Effect) => readonly [whom: string, amount: number]) {
  const totals = new Map<string, number>();
  for (const effect of effects) {
    const [whom, amount] = of(effect);
    totals.set(whom, (totals.get(whom) ?? 0) + amount);
  }
  return [...totals].filter(([, amount]) => amount !== 0);
}

const created =
  (table: string, say: (effect: Effect) => string): Words =>
  (effects) =>
    effects.filter((effect) => effect.table === table && effect.change === 'created').map(say);

const pointsTooMany: Words = (effects, tenant) =>
  sums(
    effects.filter(({ table, change }) => table === 'pointTransactions' && change === 'created'),
    (effect) => [
      describeContact(tenant, tenant.get(pointAccounts, toText(effect, 'accountId'))?.contactId),
      numberIn(effect, 'amount'),
    ],
  ).map(([whom, amount]) => `${whom} has ${plural(Math.abs(amount), 'point')} too ${amount > 0 ? 'many' : 'few'}`);

const checkpointsTooMany: Words = (effects, tenant) =>
  sums(
    effects.filter(({ table, fields }) => table === 'challenges' && 'completedCheckpoints' in fields),
    (effect) => [
      describeContact(tenant, tenant.get(challenges, effect.key)?.contactId),
      numberIn(effect, 'completedCheckpoints') - numberIn(effect, 'completedCheckpoints', 'from'),
    ],
  ).map(([whom, amount]) => `${whom} has ${plural(amount, 'checkpoint')} too many`);

/** By a promotion's id, each call redeems the next of those that a contact holds (A-32). */
const redeemedTwice: Words = (effects, tenant) =>
  effects
    .filter(({ table, fields }) => table === 'promotionAssignments' && typeof fields['redeemedOn']?.to === 'string')
    .map(({ key }) => {
      const { contactId, promotionId } = tenant.get(promotionAssignments, key) ?? {};
      return `${describeContact(tenant, contactId)} has promotion ${promotionId ?? key} redeemed once too often`;
    });

/** By e-mail or phone, or else by name: then there is no key that keeps the service from making two. */
function newcomer(effect: Effect): string {
  const [email, phone, ...names] = ['email', 'mobilePhone', 'firstName', 'lastName']
    .map((name) => effect.fields[`attributes.${name}`]?.to)
    .map((value) => (typeof value === 'string' ? value : ''));
  return email || phone || names.filter(Boolean).join(' ') || effect.key;
}

const words: readonly Words[] = [
  pointsTooMany,
  created('receipts', (effect) => `receipt ${toText(effect, 'uniqueReceiptId', 'transactionNumber')} is one too many`),
  redeemedTwice,
  checkpointsTooMany,
  created('contacts', (effect) => `there is a second contact ${newcomer(effect)}`),
  created('outbox', (effect) => `order ${toText(effect, 'orderNumber')} has a message too many`),
];

/** Repeating these changes nothing that wasn't meant. */
const harmless: ReadonlySet<string> = new Set(['safe', 'idempotent']);

const isHarmless = ({ endpoint, attempts }: Operation): boolean =>
  !endpoint || harmless.has(endpoint.retry) || attempts.length < 2;

/** What a repeated operation did more than once; a sentence for each contact, receipt or promotion concerned. */
export function describeDuplicateEffects(operation: Operation, tenant: Tenant): DuplicateEffect[] {
  if (isHarmless(operation)) return [];
  const { attempts } = operation;
  // Whether there is anything to tell at all costs less than what.
  if (attempts.filter(isTellable).length < 2) return [];
  const effective = attempts.filter((attempt) => sentencesFor([attempt], tenant).length > 0);
  const [first, ...others] = effective;
  if (!first || others.length === 0) return [];
  const told = effective.map((attempt) => `attempt ${attempts.indexOf(attempt) + 1}${circumstances(attempt)}`);
  const times = effective.length === 2 ? 'twice' : `${effective.length} times`;
  // As the specification names calls.
  const call = requestLine(first).replace('/api/v3/', '/');
  return shortened(sentencesFor(others, tenant)).map((sentence) => ({
    message: `${sentence}: ${call} took effect ${times} (${told.join('; ')})`,
    attempts: effective,
  }));
}

/** Whether work that is still queued would make it twice. */
export function mayBecomeDuplicate(operation: Operation, isPending: (attempt: Attempt) => boolean): boolean {
  if (isHarmless(operation) || operation.key.by === 'own-key') return false;
  if (!operation.attempts.some(isPending)) return false;
  return operation.attempts.filter((attempt) => isPending(attempt) || isTellable(attempt)).length > 1;
}

const tellableTables: ReadonlySet<string> = new Set([
  'pointTransactions',
  'receipts',
  'promotionAssignments',
  'challenges',
  'contacts',
  'outbox',
]);

const isTellable = (attempt: Attempt): boolean => changesBy(attempt).some(({ table }) => tellableTables.has(table));

function sentencesFor(attempts: readonly Attempt[], tenant: Tenant): string[] {
  const effects = attempts.flatMap((attempt) =>
    effectsOf(changesBy(attempt).filter(({ table }) => tellableTables.has(table))),
  );
  return words.flatMap((say) => say(effects, tenant));
}

const maxSentences = 5;

/** A bulk may concern a thousand contacts. */
function shortened(sentences: readonly string[]): string[] {
  if (sentences.length <= maxSentences) return [...sentences];
  const rest = sentences.length - maxSentences;
  return [...sentences.slice(0, maxSentences), `${rest} more ${rest === 1 ? 'is' : 'are'} concerned likewise`];
}

function circumstances(attempt: Attempt): string {
  const repeated = attempt.isTransparentRetry ? ', transparent retry of the HTTP library' : '';
  if (attempt.outcome === 'success') return repeated;
  const isLost = attempt.outcome === 'no-response' && !isAbortedByClient(attempt);
  return `${repeated} committed, ${isLost ? 'its response was lost' : `and ${describeOutcome(attempt)}`}`;
}
