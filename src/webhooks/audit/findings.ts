/** What a report tells a person, in plain words. */
import { toTimestamp } from '../../core/time/clock.ts';
import type { WebhookAttempt, WebhookAttemptFault } from '../../core/tenant/webhook-outbox.ts';
import { responseTimeout, isSuccess } from '../retry-schedule.ts';
import type { JudgedBalance, JudgedAccount } from './account.ts';
import type { AuditedAccount, AuditedAdjustment, AuditedSync } from './types.ts';

export const auditFindingKinds = [
  'missed',
  'not-delivered',
  'waiting',
  'lost',
  'applied-twice',
  'wrong-balance',
  'stale-balance',
  'balance-not-set',
  'late-answer',
  'accepted-unreadable',
] as const;

/** What a person should know. */
export interface AuditFinding {
  readonly kind: (typeof auditFindingKinds)[number];
  /** Whether the verdict is FAIL by it, or INCONCLUSIVE, or neither. */
  readonly weighs: 'fails' | 'leaves open' | 'notes';
  readonly message: string;
  readonly webhookId?: string;
  readonly syncId?: string;
  readonly contactId?: string;
  readonly definitionId?: number;
}

const points = (amount: number): string => `${amount} ${Math.abs(amount) === 1 ? 'point' : 'points'}`;

const describe = ({ amount, contactId, definitionId, createdAt }: AuditedAdjustment): string =>
  `the adjustment of ${points(amount)} for contact ${contactId}, definition ${definitionId}, of ${toTimestamp(createdAt)}`;

export function findingsOfAdjustment(adjustment: AuditedAdjustment): AuditFinding[] {
  const { id: webhookId, contactId, definitionId, status, attempts } = adjustment;
  const about = { webhookId, contactId, definitionId };
  const which = describe(adjustment);
  if (status === 'missed') {
    const message = `Missed: ${which}. No webhook was configured, so nobody was told.`;
    return [{ kind: 'missed', weighs: 'leaves open', message, ...about }];
  }
  const findings: AuditFinding[] = [];
  for (const { fault = 'tamper' } of attempts.filter(isAcceptedUnreadable)) {
    const message = `Accepted although it could not be right (${unreadable[fault]}): ${which}.`;
    findings.push({ kind: 'accepted-unreadable', weighs: 'fails', message, ...about });
  }
  const late = attempts.filter(({ ms }) => ms >= responseTimeout).length;
  if (late > 0) {
    const message = `${late} of ${attempts.length} attempts had no answer within ${responseTimeout / 1000} s: ${which}.`;
    findings.push({ kind: 'late-answer', weighs: 'fails', message, ...about });
  }
  if (status === 'delivered') return findings;
  const last = attempts.at(-1)?.error ?? 'it was not tried yet';
  const isOver = status === 'failed';
  const message = `${isOver ? 'Never delivered' : 'Not delivered yet'}: ${which} (${last}).`;
  // A master that turned down what it had to turn down did nothing wrong.
  const isItsOwn = isOver && attempts.some(isReadable);
  return [...findings, { kind: 'not-delivered', weighs: isItsOwn ? 'fails' : 'leaves open', message, ...about }];
}

/** Attempts that a receiver is to turn down. */
const unreadable: Readonly<Partial<Record<WebhookAttemptFault, string>>> = {
  tamper: 'it was altered after it was signed',
  'wrong-key': 'it was encrypted with a key that the master does not have',
};

/** Whether the master could make out what an attempt says. */
export const isReadable = ({ fault }: WebhookAttempt): boolean =>
  fault === undefined || (fault !== 'drop' && !(fault in unreadable));

const isAcceptedUnreadable = (attempt: WebhookAttempt): boolean =>
  attempt.fault !== undefined && attempt.fault in unreadable && isSuccess(attempt);

export function findingsOfSync({ id: syncId, failure, items }: AuditedSync): AuditFinding[] {
  if (failure !== undefined) {
    const message = `No balance of the call ${syncId} was set: ${failure}.`;
    return [{ kind: 'balance-not-set', weighs: 'fails', message, syncId }];
  }
  return items.filter(({ outcome }) => outcome !== 'set').map((item) => findingOfItem(syncId, item));
}

function findingOfItem(
  syncId: string,
  { contactId, definitionId, amount, outcome, message = '' }: AuditedSync['items'][number],
): AuditFinding {
  const which = `The balance of ${points(amount)} for contact ${contactId}, definition ${definitionId}`;
  const about = { syncId, contactId, definitionId };
  if (outcome === 'refused') {
    return { kind: 'balance-not-set', weighs: 'fails', message: `${which} was not set: ${message}`, ...about };
  }
  return { kind: 'stale-balance', weighs: 'notes', message: `${which} was older: ${message}.`, ...about };
}

export function findingsOfAccount(account: AuditedAccount, { balances, lost, waiting }: JudgedAccount): AuditFinding[] {
  const { contactId, definitionId, sent } = account;
  const whose = `contact ${contactId}, definition ${definitionId}`;
  const named = (ids: readonly string[]): AuditedAdjustment[] => sent.filter(({ id }) => ids.includes(id));
  const ofAdjustments: AuditFinding[] = [
    ...named(lost).map((adjustment): AuditFinding => {
      const message = `Lost: ${describe(adjustment)}. The master accepted it, and its last balance does not show it.`;
      return { kind: 'lost', weighs: 'fails', message, webhookId: adjustment.id, contactId, definitionId };
    }),
    ...named(waiting).map((adjustment): AuditFinding => {
      const message = `Waiting: ${describe(adjustment)}. The master accepted it, and has sent no balance since.`;
      return { kind: 'waiting', weighs: 'leaves open', message, webhookId: adjustment.id, contactId, definitionId };
    }),
  ];
  const ofBalances = balances.flatMap((balance) => {
    const found = findingOf(balance, whose);
    return found ? [{ ...found, syncId: balance.syncId, contactId, definitionId }] : [];
  });
  return [...ofAdjustments, ...ofBalances];
}

function findingOf(
  balance: JudgedBalance,
  whose: string,
): Pick<AuditFinding, 'kind' | 'weighs' | 'message'> | undefined {
  const { amount, expected, says } = balance;
  const compared = `The balance of ${whose} was set to ${amount} and should be ${expected}`;
  switch (says) {
    case 'right':
      return undefined;
    case 'stale': {
      const lacking = balance.lacks.length === 1 ? 'one adjustment' : `${balance.lacks.length} adjustments`;
      const message = `${compared}: it lacks ${lacking} that the master had accepted (${listed(balance.lacks)}).`;
      return { kind: 'stale-balance', weighs: 'notes', message };
    }
    case 'twice': {
      const message = `${compared}: as if applied twice (${listed(balance.twice)}).`;
      return { kind: 'applied-twice', weighs: 'fails', message };
    }
    case 'unknown': {
      const message = `${compared}, had the master begun with what the service showed. Have it send its balances first.`;
      return { kind: 'wrong-balance', weighs: 'leaves open', message };
    }
    case 'wrong':
      return { kind: 'wrong-balance', weighs: 'fails', message: `${compared}; no adjustment explains the difference.` };
  }
}

const maxListed = 5;

const listed = (ids: readonly string[]): string => {
  const shown = ids.slice(0, maxListed).join(', ');
  return ids.length > maxListed ? `${shown} and ${ids.length - maxListed} more` : shown;
};
