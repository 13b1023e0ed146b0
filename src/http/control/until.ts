import type { Tenant } from '../../core/tenant.ts';
import { waitingFor } from './waiting.ts';

interface Wait {
  readonly isMet: () => boolean;
  readonly milliseconds: number;
  /** Aborted when nobody waits any more. */
  readonly signal: AbortSignal;
}

/** Resolves when a condition on a tenant's state is met, when time is up, or when the caller has gone. */
export const until = (tenant: Tenant, wait: Wait): Promise<void> =>
  wait.isMet() || wait.signal.aborted ? Promise.resolve() : waitingFor(tenant, () => watch(tenant, wait));

function watch(tenant: Tenant, { isMet, milliseconds, signal }: Wait): Promise<void> {
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
