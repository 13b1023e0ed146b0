/** Sees what a point master has booked: by the history that it serves, and by the balances that it sends. */
import type { Tenant } from '../../core/tenant/tenant.ts';
import { monotonicNow, sleepFor } from '../../core/time/clock.ts';
import { listBalanceSyncs } from '../../service/points/balance-sync.ts';
import { requestPointHistory } from '../../webhooks/point-history.ts';
import type { PointHistory } from '../../webhooks/point-history.ts';
import { responseTimeout } from '../../webhooks/retry-schedule.ts';

export interface LedgerView {
  /** Returns the history of a contact as the point master serves it now. */
  readonly history: (contactId: string) => Promise<PointHistory>;
  /** Returns the total of a contact's history; undefined when it is not served. */
  readonly total: (contactId: string) => Promise<number | undefined>;
  /** Returns the balance that the point master sent last for a contact; undefined when it has sent none. */
  readonly balance: (contactId: string) => number | undefined;
  /** True when the point master has sent any balance. */
  readonly hasSent: () => boolean;
}

export interface LedgerOptions {
  readonly tenant: Tenant;
  /** Names the address of the point master. */
  readonly url: string;
  readonly definitionId: number;
}

export const ledgerView = ({ tenant, url, definitionId }: LedgerOptions): LedgerView => {
  const history = (contactId: string): Promise<PointHistory> =>
    requestPointHistory({ url, contactId, signal: new AbortController().signal, timeout: responseTimeout });
  return {
    history,
    total: async (contactId) => {
      const { items, note, status } = await history(contactId);
      // Whether "not found" may stand for no points is another question than what was booked.
      if (note !== null && status !== notFound) return undefined;
      return items.reduce((sum, { amount }) => sum + amount, 0);
    },
    balance: (contactId) =>
      listBalanceSyncs(tenant)
        .flatMap(({ items }) => items)
        .findLast((item) => item.contactId === contactId && item.definitionId === definitionId && 'before' in item)
        ?.amount,
    hasSent: () => listBalanceSyncs(tenant).length > 0,
  };
};

const notFound = 404;

/** Sums of decimals differ in the last places. */
const tolerance = 1e-6;

export const isSameAmount = (a: number | undefined, b: number): boolean =>
  a !== undefined && Math.abs(a - b) < tolerance;

/** Waits until something is so, as long as this at most, in ms; returns whether it is. */
export async function pollUntil(isSo: () => boolean | Promise<boolean>, limit: number): Promise<boolean> {
  const begun = monotonicNow();
  for (;;) {
    if (await isSo()) return true;
    if (monotonicNow() - begun >= limit) return false;
    await sleepFor(Math.min(interval, limit));
  }
}

const interval = 20;
