/** Reads the journal of a simulator. */
import { plural } from '../../../core/lib/plural.ts';
import * as z from '../../../core/validation/deferred-zod.ts';
import { filterQuery, formatListedRequest, requestListSchema } from '../../format/requests.ts';
import { anyObject, defineTool, targetFields } from '../tool.ts';

const listRequests = defineTool({
  name: 'list_requests',
  title: 'List requests',
  description:
    'Lists the latest requests of the journal, the newest last: method, path, what the client received, the fault that hit it, and warnings about input that the service ignored. get_request shows one in full.',
  input: z.strictObject({
    ...targetFields,
    method: z.string().optional(),
    path: z.string().optional().describe('A path, with {name} for one segment and * for any text'),
    status: z.string().optional().describe('A status such as "404", or a class such as "4xx"'),
    endpoint: z.string().optional().describe('Id of an endpoint, such as createContact'),
    contains: z.string().optional().describe('Text in the body of the request'),
    fault: z.string().optional().describe('Id of a rule; any: hit by a fault; none: not hit by any'),
    since: z.string().optional().describe('Id or number of a request: only those after it'),
    warnings: z.boolean().optional().describe('true: only with warnings; false: only without'),
    limit: z.int().min(1).max(100).optional().describe('Largest number of requests, at most 100 (default: 20)'),
    wait: z
      .string()
      .optional()
      .describe('Waits until as many requests match as atLeast says, or for this long, such as 5s (at most 60s)'),
    atLeast: z.int().min(1).optional().describe('Waits for this many requests (default: 1)'),
  }),
  effect: 'read',
  run: async ({ simulator, tenant, limit = 20, wait, atLeast, ...filter }, { simulators, signal }) => {
    const given = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
    const { count, complete, evicted, items } = await simulators.callerOf({ simulator, tenant })('/requests', {
      query: { ...filterQuery(given), last: String(limit), wait, atLeast: atLeast?.toString() },
      responseSchema: requestListSchema,
      ...(wait !== undefined && { signal }),
    });
    const shown = items.length < count ? `the last ${items.length} of ${count} requests` : plural(count, 'request');
    const dropped = evicted > 0 ? `, ${evicted} older ones dropped` : '';
    const lines = [
      `${shown}${dropped}${complete || wait === undefined ? '' : ', fewer than were waited for'}`,
      ...items.flatMap((item) => formatListedRequest(item)),
    ];
    return { lines, data: { count, complete, evicted, items } };
  },
});

const getRequest = defineTool({
  name: 'get_request',
  title: 'Show a request',
  description:
    'Shows a request in full: what was sent, what the service responded, what was delivered to the client, the fault, near misses of rules, and what the service changed.',
  input: z.strictObject({
    ...targetFields,
    id: z.string().min(1).describe('Id of the request, as list_requests, get_verdict and explain_finding show it'),
  }),
  effect: 'read',
  run: async ({ id, ...target }, { simulators }) => {
    const call = simulators.callerOf(target);
    const full = await call(`/requests/${encodeURIComponent(id)}`, { responseSchema: anyObject });
    return { data: Object.fromEntries(Object.entries(full).map(([name, part]) => [name, withoutRawBody(part)])) };
  },
});

/** Leaves out the text of a body that is there as JSON too. */
function withoutRawBody(part: unknown): unknown {
  if (typeof part !== 'object' || part === null || !('json' in part) || !('body' in part)) return part;
  const { body, ...others } = part;
  return part.json === null ? { ...others, body } : others;
}

export const requestTools = [listRequests, getRequest];
