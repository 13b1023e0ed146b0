/** Creates the report on a point master: a verdict on its adjustments and balances. */
import { forEachInSteps } from '../../core/time/steps.ts';
import type { Steps } from '../../core/time/steps.ts';
import { isSuccess } from '../retry-schedule.ts';
import { judgeAccount } from './account.ts';
import type { AccountRecords, JudgedAccount } from './account.ts';
import { isReadable, addFindingsOfAccount, findingsOfAdjustment, findingsOfSync } from './findings.ts';
import type { AuditFinding } from './findings.ts';
import { createSearchBudget } from './subset-sum.ts';
import { accountKey } from './types.ts';
import type { AuditedAccount, AuditedAdjustment, AuditedSync, SentAdjustment } from './types.ts';

export interface AuditReport {
  readonly verdict: 'PASS' | 'FAIL' | 'INCONCLUSIVE';
  readonly adjustments: {
    readonly total: number;
    readonly shown: number;
    readonly waiting: number;
    readonly lost: number;
  };
  readonly balances: { readonly requests: number; readonly set: number; readonly right: number };
  readonly attempts: { readonly total: number; readonly responded: number; readonly slowestMs: number };
  readonly findings: readonly AuditFinding[];
}

interface AuditRecords {
  readonly adjustments: readonly AuditedAdjustment[];
  readonly syncs: readonly AuditedSync[];
  /** Holds the last turn of which there is no record: the master may have seen anything until then. */
  readonly gap: number;
}

/** Judges a point master by the exchanged records. */
export function* createAuditReport({ adjustments, syncs, gap }: AuditRecords): Steps<AuditReport> {
  const accounts = yield* accountsOf(adjustments, syncs);
  const budget = createSearchBudget();
  const { sentFrom, attempts, findings } = yield* lookAtAttempts(adjustments);
  const all: { readonly account: AuditedAccount; readonly result: JudgedAccount }[] = [];
  for (const account of accounts) {
    const result = yield* judgeAccount({ ...(yield* recordsSince(gap, account)), sentFrom }, budget);
    all.push({ account, result });
  }
  const judged = all.filter(({ account }) => account.sent.length > 0);
  const lastSet = lastSetOf(syncs);
  for (const sync of syncs) for (const found of findingsOfSync(sync, lastSet)) findings.push(found);
  for (const { account, result } of all) yield* addFindingsOfAccount(findings, account, result);
  const balances = judged.flatMap(({ result }) => result.balances);
  const count = (of: (result: JudgedAccount) => number): number =>
    judged.reduce((sum, { result }) => sum + of(result), 0);
  const shown = count((result) => result.shown);
  return {
    verdict: verdictOf(findings, shown),
    adjustments: {
      total: adjustments.length,
      shown,
      waiting: count(({ waiting }) => waiting.length),
      lost: count(({ lost }) => lost.length),
    },
    balances: {
      requests: syncs.length,
      set: balances.length,
      right: balances.filter(({ says }) => says === 'right').length,
    },
    attempts,
    findings,
  };
}

/** Counts the attempts, and finds what was wrong with them; says in which turn the first one was begun. */
function* lookAtAttempts(adjustments: readonly AuditedAdjustment[]) {
  const counts = { total: 0, responded: 0, slowestMs: 0 };
  const findings: AuditFinding[] = [];
  let sentFrom = Infinity;
  yield* forEachInSteps(adjustments, (adjustment) => {
    const { attempts } = adjustment;
    sentFrom = Math.min(sentFrom, attempts[0]?.turns[0] ?? Infinity);
    counts.total += attempts.length;
    for (const { status, ms } of attempts) {
      if (status !== undefined) counts.responded++;
      counts.slowestMs = Math.max(counts.slowestMs, ms);
    }
    findings.push(...findingsOfAdjustment(adjustment));
  });
  return { sentFrom, attempts: counts, findings };
}

function verdictOf(findings: readonly AuditFinding[], shown: number): AuditReport['verdict'] {
  if (findings.some(({ level }) => level === 'fail')) return 'FAIL';
  const isOpen = shown === 0 || findings.some(({ level }) => level === 'inconclusive');
  return isOpen ? 'INCONCLUSIVE' : 'PASS';
}

/** Returns the last turn in which a balance of each account was set. */
const lastSetOf = (syncs: readonly AuditedSync[]): ReadonlyMap<string, number> =>
  new Map(
    syncs.flatMap(({ turn, items }) =>
      items.filter(({ outcome }) => outcome === 'set').map((item) => [accountKey(item), turn] as const),
    ),
  );

function* accountsOf(
  adjustments: readonly AuditedAdjustment[],
  syncs: readonly AuditedSync[],
): Steps<AuditedAccount[]> {
  const accounts = new Map<string, AuditedAccount>();
  const obtain = (contactId: string, definitionId: number): AuditedAccount => {
    const key = accountKey({ contactId, definitionId });
    const account = accounts.get(key) ?? { contactId, definitionId, sent: [], balances: [] };
    accounts.set(key, account);
    return account;
  };
  yield* forEachInSteps(adjustments, (adjustment) => {
    if (adjustment.status !== 'missed') obtain(adjustment.contactId, adjustment.definitionId).sent.push(adjustment);
  });
  for (const { id: syncId, turn, items } of syncs) {
    for (const { contactId, definitionId, amount, before, outcome } of items) {
      if (before === undefined) continue;
      const isOlder = outcome === 'older';
      obtain(contactId, definitionId).balances.push({ turn, syncId, amount, before, isOlder });
    }
  }
  return [...accounts.values()];
}

/** Returns what is known of an account since the gap. What was accepted before it may be in its balances, or not. */
function* recordsSince(gap: number, account: AuditedAccount): Steps<Omit<AccountRecords, 'sentFrom'>> {
  const balances = account.balances.filter(({ turn }) => turn > gap);
  const possibleFrom = balances[0]?.turn;
  const adjustments: SentAdjustment[] = [];
  yield* forEachInSteps(account.sent, (sent) => {
    const adjustment = sentOf(sent);
    const { acceptedAt = Infinity } = adjustment;
    adjustments.push(acceptedAt > gap ? adjustment : { ...adjustment, acceptedAt: undefined, possibleFrom });
  });
  return { adjustments, balances, isComplete: gap === 0 };
}

function sentOf({ id, amount, status, attempts }: AuditedAdjustment): SentAdjustment {
  const readable = attempts.filter(isReadable);
  // A first attempt in flight is not recorded yet.
  const possibleFrom = readable[0]?.turns[0] ?? (status === 'pending' ? -1 : undefined);
  return { id, amount, acceptedAt: readable.find(isSuccess)?.turns[1], possibleFrom };
}
