/** Makes accounts of a fixture's transactions: what is left of each addition, what has expired meanwhile, what comes next. */
import { appendTo } from '../../../core/lib/collections.ts';
import { toTimestamp } from '../../../core/time/clock.ts';
import type { Instant } from '../../../core/time/clock.ts';
import { timerJob, timers } from '../../../core/time/jobs.ts';
import { mapInSteps } from '../../../core/time/steps.ts';
import type { Steps } from '../../../core/time/steps.ts';
import { getRow, allRows, orderedListOf, withRowsInSteps, withSequences } from '../../../core/state/state.ts';
import type { State } from '../../../core/state/state.ts';
import type { FixtureContext } from '../../resource/fixture-section.ts';
import { addLocalMonths } from '../../../core/time/time-zone.ts';
import { retailerIn } from '../../retailer/operations.ts';
import { receipts } from '../../receipts/tables.ts';
import { roundPointAmount } from '../ledger/balance.ts';
import { ledgerViewAt, nextChangeAt, settleTimer } from '../ledger/expiry.ts';
import { activePeriodEnd, activePeriods } from './inactivity.ts';
import { replayLots, activeFromOf } from './replay.ts';
import { pointAccounts, pointLots, pointTransactions } from '../tables.ts';
import type { PointAccount, PointLot, PointTransaction } from '../tables.ts';
import { pointDefinitions } from '../definitions.ts';
import type { PointDefinition } from '../definitions.ts';

interface FixtureLedger {
  readonly accounts: readonly PointAccount[];
  readonly transactions: readonly PointTransaction[];
}

export function* withPointAccounts(
  state: State,
  { accounts, transactions }: FixtureLedger,
  context: FixtureContext,
): Steps<State> {
  const ofAccount = byAccount(transactions);
  const lots: PointLot[] = [];
  const expiries: PointTransaction[] = [];
  for (const account of accounts) {
    yield;
    const past = ofAccount.get(account.id) ?? [];
    const left = replayLots(past, context.now, lostBy(state, { account, past, now: context.now }));
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
  const opened = yield* withRowsInSteps(state, pointAccounts, accounts);
  const filled = yield* withRowsInSteps(opened, pointTransactions, all);
  const left = yield* withRowsInSteps(filled, pointLots, lots);
  return yield* withTimers(withSequences(left, sequences), accounts, context.now);
}

function byAccount(transactions: readonly PointTransaction[]): Map<string, PointTransaction[]> {
  const groups = new Map<string, PointTransaction[]>();
  for (const transaction of transactions) {
    appendTo(groups, transaction.accountId, transaction);
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
  readonly past: readonly PointTransaction[];
  readonly now: Instant;
}

/** Returns when points of an account that became active at a moment were lost to inactivity by now, if they were. */
function lostBy(state: State, { account, past, now }: Past): (activeFrom: Instant) => Instant | undefined {
  const expiry = definitionIn(state, account)?.expiry;
  if (expiry?.method !== 'contactInactive') return () => undefined;
  const bought = [...orderedListOf(state, receipts, 'byContact', account.contactId)].map(({ order }) => order);
  const activated = past.filter(({ amount }) => amount > 0).map((transaction) => activeFromOf(transaction, now));
  const moments = [...bought, ...activated].filter((at) => at <= now).toSorted((a, b) => a - b);
  const stretches = activePeriods(moments, (from) => addLocalMonths(from, expiry.months, retailerIn(state).timeZone));
  return (activeFrom) => {
    const end = activeFrom > now ? undefined : activePeriodEnd(stretches, activeFrom);
    return end !== undefined && end <= now ? end : undefined;
  };
}

/** Returns what expired before the fixture was loaded and has no Expiry of its own, by its moment. */
function expiredBy(lots: readonly PointLot[], now: Instant): Expired[] {
  const moments = new Map<Instant, PointLot[]>();
  for (const lot of lots) {
    const at = lot.expiresAt;
    if (at === null || at > now || lot.activeFrom > now) continue;
    appendTo(moments, at, lot);
  }
  return [...moments].map(([at, over]) => ({
    at,
    amount: roundPointAmount(over.reduce((sum, { left }) => sum + left, 0)),
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

function* withTimers(state: State, accounts: readonly PointAccount[], now: Instant): Steps<State> {
  const view = ledgerViewAt(state, now);
  const planned = yield* mapInSteps(accounts, (account) => {
    const definition = definitionIn(state, account);
    const dueAt = definition && nextChangeAt(view, account, definition);
    return dueAt === undefined ? [] : [timerJob(settleTimer(account, dueAt), now)];
  });
  return yield* withRowsInSteps(state, timers, [...allRows(state, timers), ...planned.flat()]);
}
