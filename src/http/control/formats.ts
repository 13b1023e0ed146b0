/** Forms that values of the control API come in, beside those of the service. */
import * as z from 'zod';
import type { Happening } from '../../core/agenda.ts';
import { toTimestamp } from '../../core/clock.ts';
import { durationForms, parseDuration } from '../../core/duration.ts';
import { jobs, timers } from '../../core/jobs.ts';
import { didYouMean } from '../../core/warning.ts';
import { text } from '../../resources/formats.ts';
import { effectSchema, showEffects } from './effects.ts';

export const duration = text.transform((sent, context) => {
  const parsed = parseDuration(sent);
  if (parsed) return parsed;
  context.issues.push({ code: 'custom', message: `must be ${durationForms}`, input: sent });
  return z.NEVER;
});

const maxWait = 60_000;

/** How long a caller waits in real time. */
export const wait = duration
  .refine(({ months, milliseconds }) => months === 0 && milliseconds >= 0 && milliseconds <= maxWait, {
    error: 'must be between 0s and 60s',
  })
  .transform(({ milliseconds }) => milliseconds);

/** One of some names; a mistyped one is told which it may have been. */
export const nameOf = <const Names extends readonly [string, ...string[]]>(what: string, names: Names) =>
  z.enum(names, {
    error: ({ input }) => {
      const listed = names.join(', ');
      if (typeof input !== 'string') return `must be one of ${listed}`;
      return `there is no ${what} "${input}"${didYouMean(input, names)} (${listed})`;
    },
  });

export const yes = z.literal(true, { error: 'must be true' });

export const warningSchema = z.strictObject({ code: z.string(), message: z.string() });

export const happeningSchema = z
  .strictObject({
    at: z.string(),
    job: z.string(),
    kind: z.string(),
    exchange: z.string().nullable(),
    effects: z.array(effectSchema),
    warnings: z.array(warningSchema),
    error: z.string().nullable(),
  })
  .meta({
    id: 'Happening',
    description: 'A job that was done, or failed; or a webhook that was tried, with the id of its delivery',
  });

const plans: ReadonlySet<string> = new Set([jobs.name, timers.name]);

/** A job that was done, as the control API tells it. That the job left the queue, or failed there, goes without saying. */
export const showHappening = ({ at, job, outcome, error }: Happening): z.infer<typeof happeningSchema> => ({
  at: toTimestamp(at),
  job: job.id,
  kind: job.kind,
  exchange: job.exchange ?? null,
  effects: showEffects(outcome.changes.filter(({ table, key }) => key !== job.id || !plans.has(table))),
  warnings: [...outcome.warnings],
  error: error ?? null,
});
