/** Describes what a point master did wrong, or has not done yet. */
import { toTimestamp } from '../../core/time/clock.ts';
import type { WebhookAttempt, WebhookAttemptFault } from '../../core/tenant/webhook-outbox.ts';
import { forEachInSteps } from '../../core/time/steps.ts';
import type { Steps } from '../../core/time/steps.ts';
import { responseTimeout, isSuccess } from '../retry-schedule.ts';
import type { Basis, FindingLevel } from '../../core/validation/finding.ts';
import type { JudgedBalance, JudgedAccount } from './account.ts';
import { accountKey } from './types.ts';
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
  'late-response',
  'accepted-unreadable',
] as const;

export interface AuditFinding {
  readonly kind: (typeof auditFindingKinds)[number];
  readonly level: FindingLevel;
  readonly message: string;
  readonly basis: Basis;
  readonly webhookId?: string;
  readonly syncId?: string;
  readonly contactId?: string;
  readonly definitionId?: number;
}

const nextBalance: Basis = {
  source: 'specification',
  text: "Events: “The point master applies it and the change appears in the service after the master's next balance sync.”",
};
const inTime: Basis = {
  source: 'assumption',
  text: 'A-49: the point master confirms a webhook with a 2xx response within 15 s; else it is sent again, seven times at most.',
};

/** Holds the basis of each kind of finding. */
export const auditBases: Readonly<Record<AuditFinding['kind'] | 'older-balance', Basis>> = {
  missed: {
    source: 'specification',
    text: 'Events: “The webhook must be configured before use, or adjustments are missed.”',
  },
  'not-delivered': inTime,
  'late-response': inTime,
  'accepted-unreadable': {
    source: 'assumption',
    text: 'A-48 and A-49: payloads are encrypted with the shared key and signed; a receiver rejects what it cannot decrypt or verify.',
  },
  waiting: nextBalance,
  lost: nextBalance,
  'applied-twice': nextBalance,
  'wrong-balance': nextBalance,
  'stale-balance': nextBalance,
  'balance-not-set': {
    source: 'specification',
    text: "Points: “Balance sync: processing is a queued job that sets the total of each listed contact's account to the given amount.”",
  },
  'older-balance': {
    source: 'assumption',
    text: 'A-46: balances apply in the order of their arrival, also one with an older timeStamp.',
  },
};

type Draft = Omit<AuditFinding, 'basis'>;

const withBasis = (draft: Draft): AuditFinding => ({ ...draft, basis: auditBases[draft.kind] });

const points = (amount: number): string => `${amount} ${Math.abs(amount) === 1 ? 'point' : 'points'}`;

const describe = ({ amount, contactId, definitionId, createdAt }: AuditedAdjustment): string =>
  `the adjustment of ${points(amount)} for contact ${contactId}, definition ${definitionId}, of ${toTimestamp(createdAt)}`;

export const findingsOfAdjustment = (adjustment: AuditedAdjustment): AuditFinding[] =>
  deliveryFindings(adjustment).map(withBasis);

function deliveryFindings(adjustment: AuditedAdjustment): Draft[] {
  const { id: webhookId, contactId, definitionId, status, attempts } = adjustment;
  const about = { webhookId, contactId, definitionId };
  const which = describe(adjustment);
  if (status === 'missed') {
    const message = `Missed: ${which}. No webhook was configured, so none was sent.`;
    return [{ kind: 'missed', level: 'inconclusive', message, ...about }];
  }
  const findings: Draft[] = [];
  for (const { fault = 'tamper' } of attempts.filter(isAcceptedUnreadable)) {
    const message = `Accepted although it was invalid (${unreadable[fault]}): ${which}.`;
    findings.push({ kind: 'accepted-unreadable', level: 'fail', message, ...about });
  }
  const late = attempts.filter(({ ms }) => ms >= responseTimeout).length;
  if (late > 0) {
    const message = `${late} of ${attempts.length} attempts got no response within ${responseTimeout / 1000} s: ${which}.`;
    findings.push({ kind: 'late-response', level: 'fail', message, ...about });
  }
  // What was accepted once and is sent again may be rejected, like a duplicate.
  const isAccepted = attempts.some((attempt) => isReadable(attempt) && isSuccess(attempt));
  if (status === 'delivered' || isAccepted) return findings;
  const last = attempts.at(-1)?.error ?? 'it was not sent yet';
  const isOver = status === 'failed';
  const message = `${isOver ? 'Never delivered' : 'Not delivered yet'}: ${which} (${last}).`;
  // A point master that rejects an invalid webhook does nothing wrong.
  const isItsOwn = isOver && attempts.some(isReadable);
  return [...findings, { kind: 'not-delivered', level: isItsOwn ? 'fail' : 'inconclusive', message, ...about }];
}

/** Holds the faults after which a receiver has to reject the webhook, with the reason. */
const unreadable: Readonly<Partial<Record<WebhookAttemptFault, string>>> = {
  tamper: 'it was altered after it was signed',
  'wrong-key': 'it was encrypted with a key that the master does not have',
};

/** True when the point master could decrypt and verify an attempt. */
export const isReadable = ({ fault }: WebhookAttempt): boolean =>
  fault === undefined || (fault !== 'drop' && !(fault in unreadable));

const isAcceptedUnreadable = (attempt: WebhookAttempt): boolean =>
  attempt.fault !== undefined && attempt.fault in unreadable && isSuccess(attempt);

/** Judges a request that sets balances; one whose job failed by the last turn in which each account was set. */
export function findingsOfSync(
  { id: syncId, turn, failure, unset, items }: AuditedSync,
  lastSet: ReadonlyMap<string, number>,
): AuditFinding[] {
  if (failure !== undefined) {
    const message = `No balance of the request ${syncId} was set: ${failure}`;
    const isSetLater = unset.length > 0 && unset.every((account) => (lastSet.get(accountKey(account)) ?? 0) > turn);
    const found: Pick<Draft, 'level' | 'message'> = isSetLater
      ? { level: 'note', message: `${message}. Later requests set them.` }
      : { level: 'fail', message: `${message}.` };
    return [withBasis({ kind: 'balance-not-set', ...found, syncId })];
  }
  return items.filter(({ outcome }) => outcome !== 'set').map((item) => findingOfItem(syncId, item));
}

function findingOfItem(
  syncId: string,
  { contactId, definitionId, amount, outcome, code, message = '' }: AuditedSync['items'][number],
): AuditFinding {
  const which = `The balance of ${points(amount)} for contact ${contactId}, definition ${definitionId}`;
  const about = { syncId, contactId, definitionId };
  if (outcome === 'rejected') {
    // The master may keep accounts of contacts that the service does not have.
    const level = code === 'ContactNotFound' ? 'note' : 'fail';
    return withBasis({ kind: 'balance-not-set', level, message: `${which} was not set: ${message}`, ...about });
  }
  const older = `${which} was older: ${message}.`;
  return { kind: 'stale-balance', level: 'note', message: older, basis: auditBases['older-balance'], ...about };
}

/** Adds in steps what was found about an account: of adjustments first, and then of balances. */
export function* addFindingsOfAccount(
  findings: AuditFinding[],
  { contactId, definitionId, sent }: AuditedAccount,
  { balances, lost, waiting }: JudgedAccount,
): Steps {
  const whose = `contact ${contactId}, definition ${definitionId}`;
  const add = (draft: Draft): void => void findings.push(withBasis({ ...draft, contactId, definitionId }));
  const [areLost, areWaiting] = [new Set(lost), new Set(waiting)];
  yield* forEachInSteps(sent, (adjustment) => {
    if (!areLost.has(adjustment.id)) return;
    const message = `Lost: ${describe(adjustment)}. The master accepted it, and its last balance does not show it.`;
    add({ kind: 'lost', level: 'fail', message, webhookId: adjustment.id });
  });
  yield* forEachInSteps(sent, (adjustment) => {
    if (!areWaiting.has(adjustment.id)) return;
    const message = `Waiting: ${describe(adjustment)}. The master accepted it, and has sent no balance since.`;
    add({ kind: 'waiting', level: 'inconclusive', message, webhookId: adjustment.id });
  });
  // The loss says enough of a balance that lacks nothing but what is lost, and the time stamp of one that was late.
  const isToldElsewhere = (balance: JudgedBalance): boolean =>
    balance.says === 'stale' && (balance.isOlder || balance.lacks.every((id) => areLost.has(id)));
  const firstChange = balances.find(({ says }) => says === 'changed');
  for (const balance of balances) {
    yield;
    if (isToldElsewhere(balance) || (balance.says === 'changed' && balance !== firstChange)) continue;
    const found = findingOfBalance(balance, whose);
    if (found) add({ ...found, syncId: balance.syncId });
  }
}

function findingOfBalance(
  balance: JudgedBalance,
  whose: string,
): Pick<AuditFinding, 'kind' | 'level' | 'message'> | undefined {
  const { amount, expected, says } = balance;
  const compared = `The balance of ${whose} was set to ${amount} and should be ${expected}`;
  switch (says) {
    case 'right':
      return undefined;
    case 'stale': {
      const lacking = balance.lacks.length === 1 ? 'one adjustment' : `${balance.lacks.length} adjustments`;
      const message = `${compared}: it lacks ${lacking} that the master had accepted (${listed(balance.lacks)}).`;
      return { kind: 'stale-balance', level: 'note', message };
    }
    case 'twice': {
      const message = `${compared}: as if applied twice (${listed(balance.twice)}).`;
      return { kind: 'applied-twice', level: 'fail', message };
    }
    case 'unknown': {
      const message = `${compared}, had the master begun with the balance that the service showed. Let it send its balances first.`;
      return { kind: 'wrong-balance', level: 'inconclusive', message };
    }
    case 'changed': {
      const message = `The balance of ${whose} was set from ${expected} to ${amount}, and no adjustment was sent for it.`;
      return { kind: 'wrong-balance', level: 'inconclusive', message };
    }
    case 'unclear': {
      const message = `${compared}, or to less: too many adjustments may be in it to tell. Let the master send a balance more often.`;
      return { kind: 'wrong-balance', level: 'inconclusive', message };
    }
    case 'incomplete': {
      const message = `${compared}: it lacks adjustments that the master had accepted, or is wrong; too many may be in it to tell which.`;
      return { kind: 'wrong-balance', level: 'fail', message };
    }
    case 'wrong':
      return { kind: 'wrong-balance', level: 'fail', message: `${compared}; no adjustment explains the difference.` };
  }
}

const maxListed = 5;

const listed = (ids: readonly string[]): string => {
  const shown = ids.slice(0, maxListed).join(', ');
  return ids.length > maxListed ? `${shown} and ${ids.length - maxListed} more` : shown;
};
