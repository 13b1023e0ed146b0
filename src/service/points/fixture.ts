import { toTimestamp } from '../../core/time/clock.ts';
import { mapInSteps } from '../../core/time/steps.ts';
import { getRow, withRowsInSteps } from '../../core/state/state.ts';
import type { State } from '../../core/state/state.ts';
import { contacts } from '../contacts/schema.ts';
import { fixtureSection, withoutDuplicates } from '../resource/fixture-section.ts';
import type { FixtureContext } from '../resource/fixture-section.ts';
import { arrayOf } from '../../core/validation/field-types.ts';
import { retailerIn } from '../retailer/operations.ts';
import { expiryByAge } from './ledger/expiry.ts';
import { withPointAccounts } from './opening-balance/accounts.ts';
import { parseInstant, ownerKey } from './tables.ts';
import type { PointAccount, PointTransaction } from './tables.ts';
import { pointDefinitions, pointDefinitionSchema, pointTransactionFixture } from './definitions.ts';
import type { PointTransactionFixture } from './definitions.ts';
import { signError } from './ledger/transaction-sign.ts';

export const pointDefinitionsFixture = fixtureSection({
  name: 'pointDefinitions',
  description: 'the ways in which points are earned, and when they expire',
  schema: arrayOf(pointDefinitionSchema),
  isCopied: true,
  load: (state, content, context) =>
    withRowsInSteps(
      state,
      pointDefinitions,
      withoutDuplicates(content, { section: 'pointDefinitions', field: 'id', context }),
    ),
});

/** Comes after the receipts: who has bought nothing for long may have lost points. */
export const pointTransactionsFixture = fixtureSection({
  name: 'pointTransactions',
  description: 'past transactions of points',
  // Which of the opening transactions were purchases follows from the receipts.
  after: ['receipts'],
  schema: arrayOf(pointTransactionFixture),
  load: function* (state, content, context) {
    const { timeZone } = retailerIn(state);
    const loading: PointFixtureContext = { state, context, timeZone, accounts: new Map() };
    const read = yield* mapInSteps(content, (item, i) => readTransaction(loading, item, i));
    const different = withoutDuplicates(read, { section: 'pointTransactions', field: 'id', context });
    const transactions = withoutRepeatedIds(different, context).filter(({ accountId }) => accountId !== '');
    return yield* withPointAccounts(state, { accounts: [...loading.accounts.values()], transactions }, context);
  },
});

interface PointFixtureContext {
  readonly state: State;
  readonly context: FixtureContext;
  readonly timeZone: string;
  readonly accounts: Map<string, PointAccount>;
}

function readTransaction(loading: PointFixtureContext, item: PointTransactionFixture, i: number): PointTransaction {
  const { context } = loading;
  const { contactId, definitionId, transactionDate = toTimestamp(context.now), ...rest } = item;
  const { id = context.newId(), createdOn = transactionDate } = rest;
  const path = `pointTransactions[${i}]`;
  const isKnown = checkReferences(loading, item, path);
  checkValues(item, path, context);
  const account = isKnown ? fixtureAccount(loading, contactId, definitionId) : undefined;
  const validTo = validToOf(loading, item, transactionDate);
  const numbered = { id, number: i + 1, accountId: account?.id ?? '', isRepeat: false };
  return { ...rest, ...numbered, transactionDate, createdOn, modifiedOn: createdOn, validTo };
}

function fixtureAccount(
  { accounts, context }: PointFixtureContext,
  contactId: string,
  definitionId: number,
): PointAccount {
  const owner = ownerKey(contactId, definitionId);
  const account = accounts.get(owner) ?? {
    id: context.newId(),
    number: accounts.size + 1,
    contactId,
    definitionId,
  };
  accounts.set(owner, account);
  return account;
}

/** Additions without a validTo get it from the settings, as they do through the API. */
function validToOf(
  { state, timeZone }: PointFixtureContext,
  item: PointTransactionFixture,
  transactionDate: string,
): string | null {
  const definition = getRow(state, pointDefinitions, String(item.definitionId));
  if (item.validTo !== null || item.amount <= 0 || !definition) return item.validTo;
  return expiryByAge(definition, parseInstant(item.validFrom ?? transactionDate), timeZone);
}

function checkReferences(
  { state, context }: PointFixtureContext,
  item: PointTransactionFixture,
  path: string,
): boolean {
  const { contactId, definitionId } = item;
  const contact = getRow(state, contacts, contactId);
  const definition = getRow(state, pointDefinitions, String(definitionId));
  if (!contact) context.report(`${path}.contactId`, `no contact of this fixture has the id ${contactId}`);
  if (!definition) {
    context.report(`${path}.definitionId`, `no point definition of this fixture has the id ${definitionId}`);
  }
  return contact !== undefined && definition !== undefined;
}

function checkValues(item: PointTransactionFixture, path: string, context: FixtureContext): void {
  const { type, amount, validFrom, validTo, transactionDate } = item;
  const reason = signError(type, amount);
  if (reason !== undefined) context.report(`${path}.amount`, reason);
  const start = validFrom ?? transactionDate;
  if (validTo !== null && start && parseInstant(validTo) <= parseInstant(start)) {
    context.report(`${path}.validTo`, `must be later than ${start}, when the points are active`);
  }
}

/** Returns the transactions but those whose transactionId an earlier one has; these are reported. */
function withoutRepeatedIds(transactions: readonly PointTransaction[], context: FixtureContext): PointTransaction[] {
  const places = new Map<string, string>();
  return transactions.filter(({ transactionId, number }) => {
    if (transactionId === null) return true;
    const [path, first] = [`pointTransactions[${number - 1}]`, places.get(transactionId)];
    if (first === undefined) places.set(transactionId, path);
    else context.report(`${path}.transactionId`, `"${transactionId}" is the transactionId of ${first} already`);
    return first === undefined;
  });
}
