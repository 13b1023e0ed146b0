import { startTimer } from './clock.ts';
import { nextTurn } from './steps.ts';
import type { Instant } from './clock.ts';
import type { Tenant } from '../tenant/tenant.ts';

/**
 * Resolves when a tenant's clock has come to a moment: a running one comes there by itself, a frozen one when it is
 * set or advanced. Resolves as well when `over` is aborted.
 */
export function waitForClock(tenant: Tenant, moment: Instant, over: AbortSignal): Promise<void> {
  const { clock } = tenant;
  if (clock.now() >= moment || over.aborted) return Promise.resolve();
  return new Promise<void>((resolve) => {
    let callOff: (() => void) | undefined;
    const look = (): void => {
      callOff?.();
      if (clock.now() >= moment) end();
      else if (!clock.isFrozen) callOff = startTimer(moment - clock.now(), look);
    };
    const end = (): void => {
      callOff?.();
      unwatch();
      over.removeEventListener('abort', end);
      resolve();
    };
    const unwatch = tenant.onChange(look);
    over.addEventListener('abort', end);
    look();
    // Very many may have waited for the same moment.
  }).then(nextTurn);
}
