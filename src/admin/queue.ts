import * as z from '../core/validation/deferred-zod.ts';
import type { ExecutedJob } from '../core/time/scheduler.ts';
import { toTimestamp } from '../core/time/clock.ts';
import { mapResult } from '../core/time/steps.ts';
import type { Steps } from '../core/time/steps.ts';
import { apiResponse } from '../core/exchange/endpoint.ts';
import { jobs } from '../core/time/jobs.ts';
import type { Job } from '../core/time/jobs.ts';
import type { Tenant } from '../core/tenant/tenant.ts';
import { didYouMean } from '../core/lib/suggest.ts';
import { requiredText } from '../core/validation/field-types.ts';
import { invalidFieldError, apiError } from '../service/errors/catalog.ts';
import { adminEndpoint, pageParameters, tenantQuery } from './input/admin-context.ts';
import { literalTrue } from './input/field-formats.ts';
import { executedJobSchema, serializeExecutedJobs } from './serialize/executed-jobs.ts';

const tag = 'Control: time and queue';
const failedOnDemand = 'failed on demand by POST /__admin/queue';

export const jobSchema = z
  .strictObject({
    id: z.string(),
    kind: z.string(),
    status: z.enum(['queued', 'failed']),
    dueAt: z.string(),
    createdAt: z.string(),
    exchange: z.string().nullable(),
    payload: z.unknown(),
    error: z.string().nullable(),
    failsBy: z.string().nullable().describe('The rule whose fault lets it fail'),
  })
  .meta({ id: 'Job', description: 'A job that is queued, or failed' });

const sizes = { held: z.boolean(), queued: z.int(), failed: z.int() };

export const queueSizesSchema = z.strictObject(sizes);

const queueBody = z
  .object({
    hold: literalTrue.optional().describe('Executes nothing until a step, a drain or a release'),
    release: literalTrue
      .optional()
      .describe('Executes jobs when they are due again; jobs that are due by now are executed at once'),
    step: z
      .union([literalTrue, z.int().min(1).max(1000)], { error: 'must be true, or how many jobs to do (1 to 1000)' })
      .optional()
      .describe('Executes the next job or jobs, due or not'),
    drain: literalTrue.optional().describe('Executes all jobs, due or not, and the jobs that they queue'),
    fail: z
      .union([literalTrue, requiredText], { error: 'must be the id of a queued job, or true for the next one' })
      .optional()
      .describe('Lets a job fail without executing it'),
  })
  .meta({ minProperties: 1, maxProperties: 1 });

const queuedJobs = (tenant: Tenant) => tenant.list(jobs, 'byStatus', 'queued');
const failedJobs = (tenant: Tenant) => tenant.list(jobs, 'byStatus', 'failed');

export const serializeQueueSizes = (tenant: Tenant): z.infer<typeof queueSizesSchema> => ({
  held: tenant.scheduler.isHeld,
  queued: queuedJobs(tenant).size,
  failed: failedJobs(tenant).size,
});

const serializeJob = ({
  id,
  kind,
  status,
  dueAt,
  createdAt,
  exchange,
  payload,
  error,
  failsBy,
}: Job): z.infer<typeof jobSchema> => ({
  id,
  kind,
  status,
  dueAt: toTimestamp(dueAt),
  createdAt: toTimestamp(createdAt),
  exchange: exchange ?? null,
  payload,
  error: error ?? null,
  failsBy: failsBy ?? null,
});

/** Lists queued jobs in the order in which they will be executed, then failed jobs. */
function listJobs(tenant: Tenant, { offset, limit }: { readonly offset: number; readonly limit: number }): Job[] {
  const queued = queuedJobs(tenant).page(offset, limit);
  const failedOffset = Math.max(0, offset - queuedJobs(tenant).size);
  const failed = failedJobs(tenant).page(failedOffset, limit - queued.length);
  return [...queued, ...failed].flatMap((id) => tenant.get(jobs, id) ?? []);
}

function* controlQueue(tenant: Tenant, body: z.infer<typeof queueBody>): Steps<ExecutedJob[]> {
  if (Object.keys(body).length !== 1) {
    throw invalidFieldError(
      '',
      'send exactly one of {"hold":true}, {"release":true}, {"step":true}, {"step":3}, {"drain":true}, {"fail":"<job id>"}',
    );
  }
  const { release, step, drain, fail } = body;
  if (release) return yield* tenant.scheduler.releaseQueueInSteps();
  if (drain) return yield* tenant.scheduler.runQueuedInSteps();
  if (step !== undefined) return yield* tenant.scheduler.runQueuedInSteps(step === true ? 1 : step);
  if (fail !== undefined) return [tenant.scheduler.failJob(jobToFail(tenant, fail), failedOnDemand)];
  tenant.scheduler.holdQueue();
  return [];
}

function jobToFail(tenant: Tenant, named: string | true): Job {
  const id = named === true ? queuedJobs(tenant).first()?.key : named;
  if (id === undefined) throw apiError('Conflict', { message: 'No job is queued, so none can fail.' });
  const job = tenant.get(jobs, id);
  if (job?.status === 'queued') return job;
  if (job) throw apiError('Conflict', { message: `Job ${id} has failed already: ${job.error}.` });
  const hint = didYouMean(id, queuedJobs(tenant).page(0, 1000)) || '.';
  throw apiError('NotFound', { message: `No job has the id "${id}"${hint} GET /__admin/queue lists them.` });
}

export const queueEndpoints = [
  adminEndpoint({
    id: 'getQueue',
    method: 'GET',
    path: '/__admin/queue',
    tag,
    summary: 'Lists queued jobs in the order in which they will be executed, then failed jobs',
    query: tenantQuery.extend(pageParameters),
    responses: { 200: z.strictObject({ ...sizes, jobs: z.array(jobSchema) }) },
    retry: 'safe',
    examples: [{ status: 200 }],
    handle: ({ tenant }, { query }) =>
      apiResponse(200, { ...serializeQueueSizes(tenant), jobs: listJobs(tenant, query).map(serializeJob) }),
  }),
  adminEndpoint({
    id: 'controlQueue',
    method: 'POST',
    path: '/__admin/queue',
    tag,
    summary: 'Holds or releases the queue, executes jobs now, or lets one fail',
    query: tenantQuery,
    body: queueBody,
    responses: { 200: z.strictObject({ ...sizes, executed: z.array(executedJobSchema) }) },
    errors: ['NotFound', 'Conflict'],
    retry: 'unkeyed',
    examples: [
      { body: { hold: true }, status: 200 },
      { body: { step: true }, status: 200 },
    ],
    handle: async ({ tenant }, { body }) => {
      const { done, ...shown } = await tenant.takeInTurns(
        mapResult(controlQueue(tenant, body), (executed) => ({ done: executed, ...serializeQueueSizes(tenant) })),
      );
      return apiResponse(200, { ...shown, executed: serializeExecutedJobs(done) });
    },
  }),
];
