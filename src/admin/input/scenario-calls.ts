import { WorkInOrder } from '../../core/lib/work-in-order.ts';
import type { AppContext, Handler } from '../../http/context.ts';
import { hasBody, readBody } from '../../http/pipeline/request-body.ts';

/** Lists the calls that set a tenant's scenario. */
const scenarioCalls: readonly string[] = ['replaceScenario', 'clearScenario'];

/**
 * Returns a function that lets such calls be handled in the order in which they have arrived in full, however long each
 * takes to be read and looked at.
 */
export function scenarioCallsInOrder(tenantOf: (c: AppContext) => string) {
  const calls = new WorkInOrder();
  return function inOrder(endpointId: string, serve: Handler): Handler {
    if (!scenarioCalls.includes(endpointId)) return serve;
    return async (c) => {
      await arrivalOf(c);
      return calls.do(tenantOf(c), async () => serve(c));
    };
  };
}

/** Resolves when all of a request is there, or never will be. */
async function arrivalOf(c: AppContext): Promise<void> {
  const incoming = c.env?.incoming;
  if (!incoming || incoming.complete || !hasBody(c)) return;
  const text = readBody(c, 'InvalidJson');
  c.set('bodyText', text);
  await Promise.race([text.catch(() => {}), new Promise((resolve) => incoming.once('end', resolve))]);
}
