import * as z from 'zod';
import type { Happening } from '../../core/agenda.ts';
import { addMonths, parseTimestamp, toTimestamp } from '../../core/clock.ts';
import type { Instant } from '../../core/clock.ts';
import type { Duration } from '../../core/duration.ts';
import { answer } from '../../core/endpoint.ts';
import { attemptKind } from '../../core/deliveries.ts';
import { letPass, letRun, mostAttempts, stopTime } from '../../core/passing.ts';
import type { Tenant } from '../../core/tenant.ts';
import type { Warning } from '../../core/warning.ts';
import { timestamp } from '../../resources/formats.ts';
import { invalidField } from '../../resources/refusals.ts';
import { controlEndpoint, tenantQuery } from './control.ts';
import { duration, happeningSchema, showHappening, warningSchema, yes } from './formats.ts';

const latest = parseTimestamp('2200-12-31T23:59:59Z') ?? 0;

export const clockSchema = z.strictObject({ now: z.string(), frozen: z.boolean() });

const clockBody = z
  .object({
    freeze: yes.optional().describe('Stops time'),
    set: timestamp
      .optional()
      .describe('Shows this moment; work that falls due until then is done. Going back does none, and undoes nothing'),
    advance: duration.optional().describe('Lets this much time pass, and does the work that falls due'),
    resume: yes.optional().describe('Lets time run on from where it stands'),
  })
  .meta({ minProperties: 1, maxProperties: 1 });

export const showClock = ({ clock }: Tenant) => ({ now: toTimestamp(clock.now()), frozen: clock.frozen });

function turnClock(tenant: Tenant, body: z.infer<typeof clockBody>): Happening[] | Promise<Happening[]> {
  const { freeze, set, advance, resume } = body;
  if (Object.keys(body).length !== 1) {
    throw invalidField(
      '',
      'send exactly one of {"freeze":true}, {"set":"<timestamp>"}, {"advance":"30d"}, {"resume":true}',
    );
  }
  if (freeze) return stopTime(tenant);
  if (resume) return letRun(tenant);
  if (advance) return letPass(tenant, laterBy(tenant, advance));
  return letPass(tenant, parseTimestamp(set ?? '') ?? tenant.clock.now());
}

function laterBy({ clock }: Tenant, { months, milliseconds }: Duration): number {
  const target = addMonths(clock.now(), months) + milliseconds;
  if (target < clock.now()) {
    throw invalidField('advance', 'time only advances forwards; to go back, send {"set":"<timestamp>"}');
  }
  if (!(target <= latest))
    throw invalidField('advance', `leads beyond ${toTimestamp(latest)}, the last moment there is`);
  return target;
}

/** What to tell of a clock that shows an earlier moment than before: nothing else has gone back with it. */
export function warningsOfGoingBack({ clock, snapshots }: Tenant, before: Instant): Warning[] {
  const now = clock.now();
  if (now >= before) return [];
  const [earlier] = [...snapshots.entries()].findLast(([, { takenAt }]) => takenAt <= now) ?? [];
  const snapshot = earlier === undefined ? 'a snapshot that was taken by then' : `the snapshot "${earlier}"`;
  const message =
    `the clock went back from ${toTimestamp(before)} to ${toTimestamp(now)}, and nothing else did: jobs that were done, ` +
    'points that expired, vouchers that were made and all that was recorded stay. To go back in everything, restore ' +
    `${snapshot} (POST /__admin/snapshots/{name}/restore), or start anew (POST /__admin/reset)`;
  return [{ code: 'clock-went-back', message }];
}

/** Where more may have been tried than is told. */
function warningsOfMore(happened: readonly Happening[]): Warning[] {
  if (happened.filter(({ job }) => job.kind === attemptKind).length < mostAttempts) return [];
  const message = `no more than the first ${mostAttempts} webhooks that were tried are listed; GET /__admin/webhooks has all of them`;
  return [{ code: 'webhooks-not-listed', message }];
}

export const clockEndpoints = [
  controlEndpoint({
    id: 'getClock',
    method: 'GET',
    path: '/__admin/clock',
    tag: 'Control: time and queue',
    summary: "What a tenant's clock shows, and whether it stands still",
    query: tenantQuery,
    answers: { 200: clockSchema },
    retry: 'read',
    examples: [{ status: 200 }],
    handle: ({ tenant }) => answer(200, showClock(tenant)),
  }),
  controlEndpoint({
    id: 'turnClock',
    method: 'POST',
    path: '/__admin/clock',
    tag: 'Control: time and queue',
    summary:
      'Freezes, sets, advances or resumes the clock; answers when all work due by then is done and all webhooks due by then were tried',
    query: tenantQuery,
    body: clockBody,
    answers: {
      200: clockSchema.extend({
        happened: z.array(happeningSchema),
        warnings: z
          .array(warningSchema)
          .describe('Of a clock that was set back: what that does not undo; of webhooks: that not all are listed'),
      }),
    },
    retry: 'unkeyed',
    examples: [
      { body: { freeze: true }, status: 200 },
      { body: { advance: '30d' }, status: 200 },
    ],
    handle: async ({ tenant }, { body }) => {
      const before = tenant.clock.now();
      const happenings = await turnClock(tenant, body);
      const happened = happenings.map(showHappening);
      const warnings = [...warningsOfGoingBack(tenant, before), ...warningsOfMore(happenings)];
      return answer(200, { ...showClock(tenant), happened, warnings });
    },
  }),
];
