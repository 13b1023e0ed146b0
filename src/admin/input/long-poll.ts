/** Lets calls wait until something has happened, and respond then. */
import type { Tenant } from '../../core/tenant/tenant.ts';
import { apiError } from '../../service/errors/catalog.ts';

/** Limits the waiting calls of one tenant: each keeps a connection, and is checked at every change. */
const maxWaiters = 1000;

const waiters = new WeakMap<Tenant, number>();

/** Lets a call wait, unless very many calls of the tenant do. Throws `TooManyRequests`. */
export async function limitWaiters<Result>(tenant: Tenant, wait: () => Promise<Result>): Promise<Result> {
  const others = waiters.get(tenant) ?? 0;
  if (others >= maxWaiters) {
    const message = `${maxWaiters} callers wait for the tenant "${tenant.name}" already, the most that may; call without wait, or let some of them end.`;
    throw apiError('TooManyRequests', { message });
  }
  waiters.set(tenant, others + 1);
  try {
    return await wait();
  } finally {
    waiters.set(tenant, (waiters.get(tenant) ?? 1) - 1);
  }
}

interface SignalWait {
  /** Subscribes to the event that ends the wait, by calling `end`; returns a function that unsubscribes. */
  readonly subscribe: (end: () => void) => () => void;
  readonly milliseconds: number;
  /** Aborts when the client has gone. */
  readonly signal?: AbortSignal;
}

/** Resolves when the subscription ends it, when time is up, or when the client has gone. */
export function waitForSignal({ subscribe, milliseconds, signal }: SignalWait): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      unsubscribe();
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const unsubscribe = subscribe(end);
    const timer = setTimeout(end, milliseconds);
    signal?.addEventListener('abort', end);
  });
}

interface StateWait {
  readonly isMet: () => boolean;
  readonly milliseconds: number;
  readonly signal: AbortSignal;
}

/** Resolves when a condition on a tenant's state is met, when time is up, or when the client has gone. */
export async function waitUntil(tenant: Tenant, { isMet, milliseconds, signal }: StateWait): Promise<void> {
  if (isMet() || signal.aborted) return;
  const subscribe = (end: () => void) =>
    tenant.onChange(() => {
      if (isMet()) end();
    });
  await limitWaiters(tenant, () => waitForSignal({ subscribe, milliseconds, signal }));
}
