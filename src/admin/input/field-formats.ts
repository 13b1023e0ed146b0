/** Forms that values of the control API come in, beside those of the service. */
import * as z from 'zod';
import type { ExecutedJob } from '../../core/time/scheduler.ts';
import { toTimestamp } from '../../core/time/clock.ts';
import { durationForms, parseDuration } from '../../core/lib/duration.ts';
import { jobs, timers } from '../../core/time/jobs.ts';
import { didYouMean } from '../../core/lib/suggest.ts';
import { text } from '../../core/validation/field-types.ts';
import { effectSchema, serializeEffects } from '../serialize/effects.ts';

export const durationField = text.transform((sent, context) => {
  const parsed = parseDuration(sent);
  if (parsed) return parsed;
  context.issues.push({ code: 'custom', message: `must be ${durationForms}`, input: sent });
  return z.NEVER;
});

const maxWait = 60_000;

/** How long a caller waits in real time. */
export const waitField = durationField
  .refine(({ months, milliseconds }) => months === 0 && milliseconds >= 0 && milliseconds <= maxWait, {
    error: 'must be between 0s and 60s',
  })
  .transform(({ milliseconds }) => milliseconds);

/** One of some names; a mistyped one is told which it may have been. */
export const enumWithSuggestion = <const Names extends readonly [string, ...string[]]>(what: string, names: Names) =>
  z.enum(names, {
    error: ({ input }) => {
      const listed = names.join(', ');
      if (typeof input !== 'string') return `must be one of ${listed}`;
      return `there is no ${what} "${input}"${didYouMean(input, names)} (${listed})`;
    },
  });

export const literalTrue = z.literal(true, { error: 'must be true' });

export const warningSchema = z.strictObject({ code: z.string(), message: z.string() });

export const executedJobSchema = z
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
export const serializeExecutedJob = ({
  at,
  job,
  sideEffects: outcome,
  error,
}: ExecutedJob): z.infer<typeof executedJobSchema> => ({
  at: toTimestamp(at),
  job: job.id,
  kind: job.kind,
  exchange: job.exchange ?? null,
  effects: serializeEffects(outcome.changes.filter(({ table, key }) => key !== job.id || !plans.has(table))),
  warnings: [...outcome.warnings],
  error: error ?? null,
});
