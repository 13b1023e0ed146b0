import * as z from '../core/validation/deferred-zod.ts';
import type { ExecutedJob } from '../core/time/scheduler.ts';
import { addMonths, parseTimestamp, toTimestamp } from '../core/time/clock.ts';
import type { Instant } from '../core/time/clock.ts';
import type { Duration } from '../core/lib/duration.ts';
import { apiResponse } from '../core/exchange/endpoint.ts';
import { webhookAttemptKind } from '../core/tenant/webhook-outbox.ts';
import { advanceAndMap, freezing, maxListedAttempts, resuming } from '../core/time/advance-time.ts';
import { mapResult } from '../core/time/steps.ts';
import type { Tenant } from '../core/tenant/tenant.ts';
import type { Warning } from '../core/lib/suggest.ts';
import { timestamp } from '../core/validation/field-types.ts';
import { invalidFieldError } from '../service/errors/catalog.ts';
import { adminEndpoint, tenantQuery } from './input/admin-context.ts';
import { durationField, literalTrue } from './input/field-formats.ts';
import { warningSchema } from './serialize/effects.ts';
import { executedJobSchema, serializeExecutedJobs } from './serialize/executed-jobs.ts';

const latest = parseTimestamp('2200-12-31T23:59:59Z') ?? 0;

export const clockSchema = z.strictObject({ now: z.string(), frozen: z.boolean() });

const clockBody = z
  .object({
    freeze: literalTrue.optional().describe('Stops the clock'),
    set: timestamp
      .optional()
      .describe(
        'Sets the clock to this moment, and executes the jobs that fall due until then. Going back executes none, and undoes nothing',
      ),
    advance: durationField.optional().describe('Lets this much time pass, and executes the jobs that fall due'),
    resume: literalTrue.optional().describe('Lets the clock run on from where it stands'),
  })
  .meta({ minProperties: 1, maxProperties: 1 });

export const serializeClock = ({ clock }: Tenant) => ({ now: toTimestamp(clock.now()), frozen: clock.isFrozen });

function updateClock<Mapped>(
  tenant: Tenant,
  body: z.infer<typeof clockBody>,
  map: (executed: ExecutedJob[]) => Mapped,
): Promise<Mapped> {
  const { freeze, set, advance, resume } = body;
  if (Object.keys(body).length !== 1) {
    throw invalidFieldError(
      '',
      'send exactly one of {"freeze":true}, {"set":"<timestamp>"}, {"advance":"30d"}, {"resume":true}',
    );
  }
  if (freeze) return tenant.takeInTurns(mapResult(freezing(tenant), map));
  if (resume) return tenant.takeInTurns(mapResult(resuming(tenant), map));
  const target = advance ? laterBy(tenant, advance) : (parseTimestamp(set ?? '') ?? tenant.clock.now());
  return advanceAndMap(tenant, target, map);
}

function laterBy({ clock }: Tenant, { months, milliseconds }: Duration): number {
  const target = addMonths(clock.now(), months) + milliseconds;
  if (target < clock.now()) {
    throw invalidFieldError('advance', 'time only advances forwards; to go back, send {"set":"<timestamp>"}');
  }
  if (!(target <= latest))
    throw invalidFieldError('advance', `leads beyond ${toTimestamp(latest)}, the last moment there is`);
  return target;
}

/** Warns of a clock that shows an earlier moment than before, because nothing else has gone back with it. */
export function clockRewindWarnings({ clock, snapshots }: Tenant, before: Instant): Warning[] {
  const now = clock.now();
  if (now >= before) return [];
  const [earlier] = [...snapshots.entries()].findLast(([, { takenAt }]) => takenAt <= now) ?? [];
  const snapshot = earlier === undefined ? 'a snapshot that was taken by then' : `the snapshot "${earlier}"`;
  const message =
    `the clock went back from ${toTimestamp(before)} to ${toTimestamp(now)}, and nothing else did: jobs that were done, ` +
    'points that expired, vouchers that were made and all that was recorded stay. To go back in everything, restore ' +
    `${snapshot} (POST /__admin/snapshots/{name}/restore), or start again (POST /__admin/reset)`;
  return [{ code: 'clock-went-back', message }];
}

/** Warns where more webhooks may have been attempted than the response lists. */
function truncatedListWarnings(executed: readonly ExecutedJob[]): Warning[] {
  if (executed.filter(({ job }) => job.kind === webhookAttemptKind).length < maxListedAttempts) return [];
  const message = `only the first ${maxListedAttempts} attempts to deliver webhooks are listed; GET /__admin/webhooks has all of them`;
  return [{ code: 'webhooks-not-listed', message }];
}

export const clockEndpoints = [
  adminEndpoint({
    id: 'getClock',
    method: 'GET',
    path: '/__admin/clock',
    tag: 'Control: time and queue',
    summary: "Shows a tenant's clock, and whether it is frozen",
    query: tenantQuery,
    responses: { 200: clockSchema },
    retry: 'safe',
    examples: [{ status: 200 }],
    handle: ({ tenant }) => apiResponse(200, serializeClock(tenant)),
  }),
  adminEndpoint({
    id: 'updateClock',
    method: 'POST',
    path: '/__admin/clock',
    tag: 'Control: time and queue',
    summary:
      'Freezes, sets, advances or resumes the clock; responds when all jobs due by then are executed and webhooks attempted',
    query: tenantQuery,
    body: clockBody,
    responses: {
      200: clockSchema.extend({
        executed: z.array(executedJobSchema),
        warnings: z
          .array(warningSchema)
          .describe(
            'Says what a clock that was set back does not undo, and whether some attempts to deliver webhooks are not listed',
          ),
      }),
    },
    retry: 'unkeyed',
    examples: [
      { body: { freeze: true }, status: 200 },
      { body: { advance: '30d' }, status: 200 },
    ],
    handle: async ({ tenant }, { body }) => {
      // How far it is moved may depend on what others do to it first.
      await tenant.afterTurns();
      const before = tenant.clock.now();
      const { done, ...shown } = await updateClock(tenant, body, (jobs) => ({
        done: jobs,
        ...serializeClock(tenant),
        warnings: [...clockRewindWarnings(tenant, before), ...truncatedListWarnings(jobs)],
      }));
      return apiResponse(200, { ...shown, executed: serializeExecutedJobs(done) });
    },
  }),
];
