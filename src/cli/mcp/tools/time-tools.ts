/** Moves the clock, and puts state back. */
import * as z from '../../../core/validation/deferred-zod.ts';
import { InputError } from '../../../core/lib/input-error.ts';
import { resetScopes } from '../../../core/tenant/reset-scopes.ts';
import { executedJobsSchema, formatExecutedJobs, formatStateDiff, stateDiffSchema } from '../../format/effects.ts';
import { anyObject, defineTool, targetFields } from '../tool.ts';

const clockSchema = z.looseObject({
  now: z.string(),
  frozen: z.boolean(),
  executed: executedJobsSchema.optional(),
});

const clock = defineTool({
  name: 'clock',
  title: 'Read or move the clock',
  description:
    'Shows the clock of a tenant, or changes it in one way: time that your client or the service would wait for passes at once. Jobs that fall due are executed. Without a change it only reads.',
  input: z.strictObject({
    ...targetFields,
    freeze: z.literal(true).optional().describe('Stops time'),
    resume: z.literal(true).optional().describe('Lets time go on from where it stands'),
    set: z.string().optional().describe('Sets it, such as 2026-12-24T08:00:00Z; going back undoes nothing'),
    advance: z.string().optional().describe('Lets this much time pass, such as 30d, 2h or P1M'),
  }),
  effect: 'add',
  run: async ({ simulator, tenant, ...changes }, { simulators }) => {
    const given = Object.entries(changes).filter(([, value]) => value !== undefined);
    if (given.length > 1)
      throw new InputError(`${given.map(([name]) => name).join(' and ')}: name one of them at a time`);
    const call = simulators.callerOf({ simulator, tenant });
    const data = await (given.length === 0
      ? call('/clock', { responseSchema: clockSchema })
      : call('/clock', { method: 'POST', body: Object.fromEntries(given), responseSchema: clockSchema }));
    const { now, frozen, executed = [] } = data;
    return { lines: [`${now}, ${frozen ? 'frozen' : 'running'}`, ...formatExecutedJobs(executed)], data };
  },
});

const reset = defineTool({
  name: 'reset',
  title: 'Reset a tenant',
  description:
    'Puts a tenant back to its start: data, journal, faults, clock, queue and webhooks, or only the scopes that are named.',
  input: z.strictObject({
    ...targetFields,
    scopes: z.array(z.enum(resetScopes)).optional().describe('Parts to reset (default: all)'),
  }),
  effect: 'replace',
  run: async ({ scopes, ...target }, { simulators }) => {
    const body = scopes === undefined ? undefined : { scopes };
    const data = await simulators.callerOf(target)('/reset', { method: 'POST', body, responseSchema: anyObject });
    return { lines: [`${(scopes ?? resetScopes).join(', ')}: reset`], data };
  },
});

const snapshot = defineTool({
  name: 'snapshot',
  title: 'Take, restore or compare snapshots',
  description:
    'Stores the state, queue and clock of a tenant under a name (take), puts them back (restore), lists the snapshots (list), or shows row by row what has changed since one (compare; since the start without a name).',
  input: z.strictObject({
    ...targetFields,
    action: z.enum(['take', 'restore', 'list', 'compare']),
    name: z.string().optional().describe('Name of the snapshot'),
  }),
  effect: 'replace',
  run: async ({ action, name, ...target }, { simulators }) => {
    const call = simulators.callerOf(target);
    if (action === 'list') {
      const responseSchema = z.looseObject({
        snapshots: z.array(z.looseObject({ name: z.string(), takenAt: z.string() })),
      });
      const data = await call('/snapshots', { responseSchema });
      const lines = data.snapshots.map((one) => `${one.name}  ${one.takenAt}`);
      return { lines: lines.length === 0 ? ['no snapshots'] : lines, data };
    }
    if (action === 'compare') {
      const data = await call('/snapshots/diff', {
        query: { from: name, limit: '50' },
        responseSchema: stateDiffSchema,
      });
      return { lines: formatStateDiff(data, 'compare with a later snapshot'), data };
    }
    if (name === undefined) throw new InputError(`name: is required to ${action} a snapshot`);
    const path = `/snapshots/${encodeURIComponent(name)}${action === 'restore' ? '/restore' : ''}`;
    const data = await call(path, { method: 'POST', responseSchema: anyObject });
    return { lines: [action === 'take' ? `${name} holds the state as it is` : `${name} is restored`], data };
  },
});

export const timeTools = [clock, reset, snapshot];
