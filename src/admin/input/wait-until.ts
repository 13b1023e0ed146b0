import type { Tenant } from '../../core/tenant/tenant.ts';
import { limitWaiters } from './long-poll.ts';

interface StateWait {
  readonly isMet: () => boolean;
  readonly milliseconds: number;
  /** Aborted when nobody waits any more. */
  readonly signal: AbortSignal;
}

/** Resolves when a condition on a tenant's state is met, when time is up, or when the caller has gone. */
export const waitUntil = (tenant: Tenant, wait: StateWait): Promise<void> =>
  wait.isMet() || wait.signal.aborted ? Promise.resolve() : limitWaiters(tenant, () => watch(tenant, wait));

function watch(tenant: Tenant, { isMet, milliseconds, signal }: StateWait): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      stopWatching();
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const stopWatching = tenant.onChange(() => {
      if (isMet()) end();
    });
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener('abort', end);
  });
}
