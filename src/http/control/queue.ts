import * as z from 'zod';
import type { Happening } from '../../core/agenda.ts';
import { toTimestamp } from '../../core/clock.ts';
import { answer } from '../../core/endpoint.ts';
import { jobs } from '../../core/jobs.ts';
import type { Job } from '../../core/jobs.ts';
import type { Tenant } from '../../core/tenant.ts';
import { didYouMean } from '../../core/warning.ts';
import { requiredText } from '../../resources/formats.ts';
import { invalidField, refusal } from '../../resources/refusals.ts';
import { controlEndpoint, pageParameters, tenantQuery } from './control.ts';
import { happeningSchema, showHappening, yes } from './formats.ts';

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
    failsBy: z.string().nullable().describe('The rule by whose fault it fails'),
  })
  .meta({ id: 'Job', description: 'Work that was accepted and is not done yet, or failed' });

const sizes = { held: z.boolean(), queued: z.int(), failed: z.int() };

export const queueSizesSchema = z.strictObject(sizes);

const queueBody = z
  .object({
    hold: yes.optional().describe('Nothing is done any more until it is asked for or the queue is released'),
    release: yes.optional().describe('Work is done when it is due again; what is due by now is done at once'),
    step: z
      .union([yes, z.int().min(1).max(1000)], { error: 'must be true, or how many jobs to do (1 to 1000)' })
      .optional()
      .describe('Does the next job or jobs, due or not'),
    drain: yes.optional().describe('Does all jobs, due or not, and those that they ask for'),
    fail: z
      .union([yes, requiredText], { error: 'must be the id of a queued job, or true for the next one' })
      .optional()
      .describe('Gives a job up without doing it'),
  })
  .meta({ minProperties: 1, maxProperties: 1 });

const queuedJobs = (tenant: Tenant) => tenant.list(jobs, 'byStatus', 'queued');
const failedJobs = (tenant: Tenant) => tenant.list(jobs, 'byStatus', 'failed');

export const showSizes = (tenant: Tenant): z.infer<typeof queueSizesSchema> => ({
  held: tenant.agenda.held,
  queued: queuedJobs(tenant).size,
  failed: failedJobs(tenant).size,
});

const showJob = ({ dueAt, createdAt, exchange, error, failsBy, ...job }: Job): z.infer<typeof jobSchema> => ({
  ...job,
  dueAt: toTimestamp(dueAt),
  createdAt: toTimestamp(createdAt),
  exchange: exchange ?? null,
  error: error ?? null,
  failsBy: failsBy ?? null,
});

/** Queued jobs in the order they will be done, then failed ones. */
function listJobs(tenant: Tenant, { offset, limit }: { readonly offset: number; readonly limit: number }): Job[] {
  const queued = queuedJobs(tenant).page(offset, limit);
  const failedOffset = Math.max(0, offset - queuedJobs(tenant).size);
  const failed = failedJobs(tenant).page(failedOffset, limit - queued.length);
  return [...queued, ...failed].flatMap((id) => tenant.get(jobs, id) ?? []);
}

function steerQueue(tenant: Tenant, body: z.infer<typeof queueBody>): Happening[] {
  if (Object.keys(body).length !== 1) {
    throw invalidField(
      '',
      'send exactly one of {"hold":true}, {"release":true}, {"step":true}, {"step":3}, {"drain":true}, {"fail":"<job id>"}',
    );
  }
  const { release, step, drain, fail } = body;
  if (release) return tenant.agenda.release();
  if (drain) return tenant.agenda.drain();
  if (step !== undefined) return stepThrough(tenant, step === true ? 1 : step);
  if (fail !== undefined) return [tenant.agenda.failJob(jobToFail(tenant, fail), failedOnDemand)];
  tenant.agenda.hold();
  return [];
}

function stepThrough(tenant: Tenant, count: number): Happening[] {
  const happenings: Happening[] = [];
  for (let left = count; left > 0; left--) {
    const happening = tenant.agenda.step();
    if (!happening) break;
    happenings.push(happening);
  }
  return happenings;
}

function jobToFail(tenant: Tenant, named: string | true): Job {
  const id = named === true ? queuedJobs(tenant).first()?.key : named;
  if (id === undefined) throw refusal('Conflict', { message: 'No job is queued, so none can fail.' });
  const job = tenant.get(jobs, id);
  if (job?.status === 'queued') return job;
  if (job) throw refusal('Conflict', { message: `Job ${id} has failed already: ${job.error}.` });
  const hint = didYouMean(id, queuedJobs(tenant).page(0, 1000)) || '.';
  throw refusal('NotFound', { message: `No job has the id "${id}"${hint} GET /__admin/queue lists them.` });
}

export const queueEndpoints = [
  controlEndpoint({
    id: 'getQueue',
    method: 'GET',
    path: '/__admin/queue',
    tag,
    summary: 'Jobs in the order they will be done, then those that failed',
    query: tenantQuery.extend(pageParameters),
    answers: { 200: z.strictObject({ ...sizes, jobs: z.array(jobSchema) }) },
    retry: 'read',
    examples: [{ status: 200 }],
    handle: ({ tenant }, { query }) =>
      answer(200, { ...showSizes(tenant), jobs: listJobs(tenant, query).map(showJob) }),
  }),
  controlEndpoint({
    id: 'steerQueue',
    method: 'POST',
    path: '/__admin/queue',
    tag,
    summary: 'Holds or releases the queue, does jobs now, or lets one fail',
    query: tenantQuery,
    body: queueBody,
    answers: { 200: z.strictObject({ ...sizes, happened: z.array(happeningSchema) }) },
    refusals: ['NotFound', 'Conflict'],
    retry: 'unkeyed',
    examples: [
      { body: { hold: true }, status: 200 },
      { body: { step: true }, status: 200 },
    ],
    handle: ({ tenant }, { body }) => {
      const happened = steerQueue(tenant, body).map(showHappening);
      return answer(200, { ...showSizes(tenant), happened });
    },
  }),
];
