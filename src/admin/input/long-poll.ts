/** Callers who are answered when something has happened. */
import type { Tenant } from '../../core/tenant/tenant.ts';
import { apiError } from '../../service/errors/catalog.ts';

/** Of one tenant; each keeps a connection, and is asked about every call. */
const maxWaiting = 1000;

const waiting = new WeakMap<Tenant, number>();

/** Has a caller wait, unless very many do. */
export async function limitWaiters<Result>(tenant: Tenant, wait: () => Promise<Result>): Promise<Result> {
  const others = waiting.get(tenant) ?? 0;
  if (others >= maxWaiting) {
    const message = `${maxWaiting} callers wait for the tenant "${tenant.name}" already, the most that may; ask without wait, or let some of them end.`;
    throw apiError('TooManyRequests', { message });
  }
  waiting.set(tenant, others + 1);
  try {
    return await wait();
  } finally {
    waiting.set(tenant, (waiting.get(tenant) ?? 1) - 1);
  }
}
