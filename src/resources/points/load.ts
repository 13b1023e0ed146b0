/** Makes accounts of a fixture's transactions: what is left of each addition, what has expired meanwhile, what comes next. */
import { toTimestamp } from '../../core/clock.ts';
import type { Instant } from '../../core/clock.ts';
import { timerOf, timers } from '../../core/jobs.ts';
import { getRow, rowsOf, withRows, withSequences } from '../../core/state.ts';
import type { State } from '../../core/state.ts';
import type { FixtureContext } from '../fixture.ts';
import { receipts } from '../receipts/row.ts';
import { exact } from './balance.ts';
import { momentIn, nextChange, settlePlan } from './expiry.ts';
import { endOfStretch, stretchesOf } from './inactivity.ts';
import { replay, startOf } from './replay.ts';
import { pointAccounts, pointLots, pointTransactions } from './rows.ts';
import type { PointAccount, PointLot, PointTransaction } from './rows.ts';
import { pointDefinitions } from './schema.ts';
import type { PointDefinition } from './schema.ts';

interface Told {
  readonly accounts: readonly PointAccount[];
  readonly transactions: readonly PointTransaction[];
}

export function withAccounts(state: State, { accounts, transactions }: Told, context: FixtureContext): State {
  const ofAccount = byAccount(transactions);
  const lots: PointLot[] = [];
  const expiries: PointTransaction[] = [];
  for (const account of accounts) {
    const told = ofAccount.get(account.id) ?? [];
    const left = replay(told, context.now, lostBy(state, { account, told, now: context.now }));
    const over = expiredBy(left, context.now);
    const gone = new Set(over.flatMap((expired) => expired.lots));
    for (const lot of left) if (!gone.has(lot.id)) lots.push(lot);
    for (const { at, amount } of over) {
      const number = transactions.length + expiries.length + 1;
      expiries.push(expiryRow({ id: context.newId(), number, accountId: account.id, at, amount }));
    }
  }
  const all = [...transactions, ...expiries];
  const sequences = { pointTransaction: all.length, pointAccount: accounts.length };
  const filled = withRows(withRows(state, pointAccounts, accounts), pointTransactions, all);
  return withTimers(withSequences(withRows(filled, pointLots, lots), sequences), accounts, context.now);
}

function byAccount(transactions: readonly PointTransaction[]): Map<string, PointTransaction[]> {
  const groups = new Map<string, PointTransaction[]>();
  for (const transaction of transactions) {
    const group = groups.get(transaction.accountId);
    if (group) group.push(transaction);
    else groups.set(transaction.accountId, [transaction]);
  }
  return groups;
}

const definitionIn = (state: State, { definitionId }: PointAccount): PointDefinition | undefined =>
  getRow(state, pointDefinitions, String(definitionId));

interface Expired {
  readonly at: Instant;
  readonly amount: number;
  readonly lots: readonly string[];
}

interface Past {
  readonly account: PointAccount;
  readonly told: readonly PointTransaction[];
  readonly now: Instant;
}

/** When points of an account that became active at a moment were lost to inactivity by now, if they were. */
function lostBy(state: State, { account, told, now }: Past): (activeFrom: Instant) => Instant | undefined {
  const expiry = definitionIn(state, account)?.expiry;
  if (expiry?.method !== 'contactInactive') return () => undefined;
  const bought = [...momentIn(state, now).list(receipts, 'byContact', account.contactId)].map(({ order }) => order);
  const activated = told.filter(({ amount }) => amount > 0).map((transaction) => startOf(transaction, now));
  const moments = [...bought, ...activated].filter((at) => at <= now).toSorted((a, b) => a - b);
  const stretches = stretchesOf(moments, expiry.months);
  return (activeFrom) => {
    const end = activeFrom > now ? undefined : endOfStretch(stretches, activeFrom);
    return end !== undefined && end <= now ? end : undefined;
  };
}

/** What expired before the fixture was loaded and isn't told of by an Expiry of its own, by its moment. */
function expiredBy(lots: readonly PointLot[], now: Instant): Expired[] {
  const moments = new Map<Instant, PointLot[]>();
  for (const lot of lots) {
    const at = lot.expiresAt;
    if (at === null || at > now || lot.activeFrom > now) continue;
    const together = moments.get(at);
    if (together) together.push(lot);
    else moments.set(at, [lot]);
  }
  return [...moments].map(([at, over]) => ({
    at,
    amount: exact(over.reduce((sum, { left }) => sum + left, 0)),
    lots: over.map(({ id }) => id),
  }));
}

interface ExpiryParts extends Pick<PointTransaction, 'id' | 'number' | 'accountId' | 'amount'> {
  readonly at: Instant;
}

function expiryRow({ at, amount, ...numbered }: ExpiryParts): PointTransaction {
  const date = toTimestamp(at);
  return {
    ...numbered,
    transactionId: null,
    isRepeat: false,
    amount: -amount,
    type: 'Expiry',
    source: 'Automation',
    description: '@@(RemovedDueToTimeLimit)',
    transactionDate: date,
    createdOn: date,
    modifiedOn: date,
    validFrom: null,
    validTo: null,
    retailTransactionLineItemId: null,
  };
}

function withTimers(state: State, accounts: readonly PointAccount[], now: Instant): State {
  const planned = accounts.flatMap((account) => {
    const definition = definitionIn(state, account);
    const dueAt = definition && nextChange(momentIn(state, now), account, definition);
    return dueAt === undefined ? [] : [timerOf(settlePlan(account, dueAt), now)];
  });
  return withRows(state, timers, [...rowsOf(state, timers), ...planned]);
}
