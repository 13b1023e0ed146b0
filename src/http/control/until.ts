import type { Tenant } from '../../core/tenant.ts';

interface Wait {
  readonly isMet: () => boolean;
  readonly milliseconds: number;
  /** Aborted when nobody waits any more. */
  readonly signal: AbortSignal;
}

/** Resolves when a condition on a tenant's state is met, when time is up, or when the caller has gone. */
export function until(tenant: Tenant, { isMet, milliseconds, signal }: Wait): Promise<void> {
  if (isMet() || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      stopWatching();
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const stopWatching = tenant.watch(() => {
      if (isMet()) end();
    });
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener('abort', end);
  });
}
