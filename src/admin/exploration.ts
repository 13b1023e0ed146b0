/** Shows the exploration that the simulator is used for, while it goes on. */
import * as z from '../core/validation/deferred-zod.ts';
import { apiResponse } from '../core/exchange/endpoint.ts';
import { integerParameter } from '../core/exchange/pagination.ts';
import { adminEndpoint } from './input/admin-context.ts';
import type { AdminContext } from './input/admin-context.ts';
import { waitField } from './input/field-formats.ts';
import { limitWaiters, waitForSignal } from './input/long-poll.ts';
import { liveExplorationSchema } from './serialize/live-exploration.ts';

/** Gathers what happens within so many ms after the first change, so that a reader costs the exploration little. */
const gathering = 300;

/** Waits until there is something new; the end is reported at once. */
async function waitForChange(
  { exploration, tenants, signal }: AdminContext,
  { after, wait }: { readonly after: number; readonly wait: number },
): Promise<void> {
  const wanted = { milliseconds: wait, signal };
  await limitWaiters(tenants.default, async () => {
    if (exploration.change === after)
      await waitForSignal({ ...wanted, subscribe: exploration.changed.subscribe.bind(exploration.changed) });
    if (exploration.isEnded) return;
    const subscribe = (end: () => void) =>
      exploration.changed.subscribe(() => {
        if (exploration.isEnded) end();
      });
    await waitForSignal({ subscribe, milliseconds: Math.min(wait, gathering), signal });
  });
}

export const explorationEndpoints = [
  adminEndpoint({
    id: 'getExploration',
    method: 'GET',
    path: '/__admin/exploration',
    tag: 'Control: explore',
    summary:
      'Shows the exploration that runs on this simulator, or the last one that did: each point, and what was found',
    query: z.object({
      wait: waitField.optional().describe('Waits at most so long for the next change'),
      after: integerParameter(-1).default(-1).describe('The `change` that was read before, to wait for the next one'),
    }),
    responses: {
      200: z.strictObject({
        change: z.int().describe('Counts the changes'),
        exploration: liveExplorationSchema.nullable().describe('Null while none was begun'),
      }),
    },
    errors: ['TooManyRequests'],
    retry: 'safe',
    examples: [{ status: 200 }],
    handle: async (context, { query: { wait, after } }) => {
      if (wait !== undefined) await waitForChange(context, { wait, after });
      const { change } = context.exploration;
      return apiResponse(200, { change, exploration: context.exploration.state() });
    },
  }),
];
