/** Lets calls wait until something has happened, and respond then. */
import { monotonicNow } from '../../core/time/clock.ts';
import type { Tenant } from '../../core/tenant/tenant.ts';
import { apiError } from '../../service/errors/catalog.ts';
import type { AdminContext } from './admin-context.ts';

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

/** Lists what a call asks for that may wait: `wait` is in ms, undefined for one that doesn't. */
interface Waiting {
  readonly wait?: number | undefined;
}

/**
 * Looks at a tenant as long as the query waits, and goes on with the one that takes its place meanwhile. Throws
 * `NotFound` once the tenant is deleted.
 */
export async function followTenant<Query extends Waiting, Result>(
  context: AdminContext,
  query: Query,
  look: (context: AdminContext, query: Query) => Promise<Result>,
): Promise<Result> {
  const { wait } = query;
  if (wait === undefined) return look(context, query);
  // What is looked up on demand is looked up once.
  const begun = { ...context };
  const { tenants, signal } = begun;
  const end = monotonicNow() + wait;
  for (let { tenant } = begun; ;) {
    const rest = { ...query, wait: Math.max(0, end - monotonicNow()) };
    const result = await whileThere({ ...begun, tenant }, (now) => look(now, rest));
    const next = tenants.get(tenant.name);
    if (next === tenant || signal.aborted) return result;
    if (!next) throw deletedMeanwhile(tenant.name);
    tenant = next;
  }
}

/** Looks at a tenant, and ends the wait when it is replaced or deleted. */
async function whileThere<Result>(
  context: AdminContext,
  look: (context: AdminContext) => Promise<Result>,
): Promise<Result> {
  const { tenants, tenant, signal } = context;
  const gone = new AbortController();
  const unsubscribe = tenants.changes.subscribe(() => {
    if (tenants.get(tenant.name) !== tenant) gone.abort();
  });
  try {
    return await look({ ...context, signal: AbortSignal.any([signal, gone.signal]) });
  } finally {
    unsubscribe();
  }
}

const deletedMeanwhile = (name: string): Error =>
  apiError('NotFound', { message: `The tenant "${name}" was deleted while this call waited.` });
