import * as z from '../../core/validation/deferred-zod.ts';
import { LazyList } from '../../core/exchange/json-pieces.ts';
import { toTimestamp } from '../../core/time/clock.ts';
import { jobs, timers } from '../../core/time/jobs.ts';
import type { ExecutedJob } from '../../core/time/scheduler.ts';
import { effectSchema, serializeEffects, warningSchema } from './effects.ts';

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
    id: 'ExecutedJob',
    description: 'A job that was executed, or failed; or an attempt to deliver a webhook, with the id of its delivery',
  });

const plans: ReadonlySet<string> = new Set([jobs.name, timers.name]);

/** Serializes executed jobs, each when it is written: there may be very many, with many effects each. */
export const serializeExecutedJobs = (done: readonly ExecutedJob[]): LazyList<ExecutedJob> =>
  new LazyList(done, serializeExecutedJob);

/** Serializes an executed job; its effects leave out the row of the job itself. */
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
