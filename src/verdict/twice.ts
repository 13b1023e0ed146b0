/** What took effect more than once, in the words of the shop. */
import type { Effect } from '../core/effects.ts';
import type { Tenant } from '../core/tenant.ts';
import { challenges } from '../resources/challenges/schema.ts';
import { contacts } from '../resources/contacts/schema.ts';
import { pointAccounts } from '../resources/points/rows.ts';
import { effectsOfAttempt } from './attempt.ts';
import type { Attempt } from './attempt.ts';
import type { Operation } from './operation.ts';
import { callOf, endOf } from './rules/rule.ts';

interface Twice {
  readonly message: string;
  readonly attempts: readonly Attempt[];
}

/** Effects of one kind that came on top of those that were meant, told in a sentence each. */
type Words = (effects: readonly Effect[], tenant: Tenant) => readonly string[];

const plural = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;

function nameOf(tenant: Tenant, contactId: unknown): string {
  const contact = typeof contactId === 'string' ? tenant.get(contacts, contactId) : undefined;
  const { memberNumber, externalId } = contact?.attributes ?? {};
  return `contact ${memberNumber ?? externalId ?? String(contactId)}`;
}

const numberIn = (effect: Effect, field: string, side: 'from' | 'to' = 'to'): number => {
  const value = effect.fields[field]?.[side];
  return typeof value === 'number' ? value : 0;
};

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

const toText = (effect: Effect, ...fields: readonly string[]): string =>
  String(
    fields.map((field) => effect.fields[field]?.to).find((value) => value !== undefined && value !== null) ??
      effect.key,
  );

const pointsTooMany: Words = (effects, tenant) =>
  sums(
    effects.filter(({ table, change }) => table === 'pointTransactions' && change === 'created'),
    (effect) => [
      nameOf(tenant, tenant.get(pointAccounts, toText(effect, 'accountId'))?.contactId),
      numberIn(effect, 'amount'),
    ],
  ).map(([whom, amount]) => `${whom} has ${plural(Math.abs(amount), 'point')} too ${amount > 0 ? 'many' : 'few'}`);

const checkpointsTooMany: Words = (effects, tenant) =>
  sums(
    effects.filter(
      ({ table, change, fields }) => table === 'challenges' && change === 'updated' && 'completedCheckpoints' in fields,
    ),
    (effect) => [
      nameOf(tenant, challengeOwner(tenant, effect)),
      numberIn(effect, 'completedCheckpoints') - numberIn(effect, 'completedCheckpoints', 'from'),
    ],
  ).map(([whom, amount]) => `${whom} has ${plural(amount, 'checkpoint')} too many`);

const challengeOwner = (tenant: Tenant, { key }: Effect): unknown => tenant.get(challenges, key)?.contactId;

const redeemedTwice: Words = (effects) =>
  effects
    .filter(({ table, fields }) => table === 'promotionAssignments' && typeof fields['redeemedOn']?.to === 'string')
    .map(({ key }) => `promotion ${key} is redeemed on top of the one that was meant`);

const words: readonly Words[] = [
  pointsTooMany,
  created('receipts', (effect) => `receipt ${toText(effect, 'uniqueReceiptId', 'transactionNumber')} is counted twice`),
  redeemedTwice,
  checkpointsTooMany,
  created('contacts', (effect) => `there is a second contact with ${toText(effect, 'attributes.email', 'id')}`),
  created('outbox', (effect) => `a message for order ${toText(effect, 'orderNumber')} was sent twice`),
];

/** Repeating these changes nothing that wasn't meant. */
const harmless: ReadonlySet<string> = new Set(['read', 'idempotent']);

/** What a repeated operation did more than once; a sentence for each contact, receipt or promotion concerned. */
export function describeTwice(operation: Operation, tenant: Tenant): Twice[] {
  const { endpoint, attempts } = operation;
  if (!endpoint || harmless.has(endpoint.retry) || attempts.length < 2) return [];
  const effective = attempts.filter((attempt) => sentencesFor([attempt], tenant).length > 0);
  const [first, ...others] = effective;
  if (!first || others.length === 0) return [];
  const told = effective.map((attempt) => `attempt ${attempts.indexOf(attempt) + 1} ${effectOf(attempt)}`).join('; ');
  const times = effective.length === 2 ? 'twice' : `${effective.length} times`;
  return sentencesFor(others, tenant).map((sentence) => ({
    message: `${sentence}: ${callOf(first)} took effect ${times} (${told})`,
    attempts: effective,
  }));
}

const sentencesFor = (attempts: readonly Attempt[], tenant: Tenant): string[] => {
  const effects = attempts.flatMap(effectsOfAttempt);
  return words.flatMap((say) => say(effects, tenant));
};

function effectOf(attempt: Attempt): string {
  if (attempt.told === 'success') return 'took effect';
  return attempt.told === 'lost' ? 'took effect, its answer was lost' : `took effect, and ${endOf(attempt)}`;
}
