import * as z from '../core/validation/deferred-zod.ts';
import { toTimestamp } from '../core/time/clock.ts';
import type { Effect } from '../core/state/effects.ts';
import { apiResponse } from '../core/exchange/endpoint.ts';
import { saveSnapshot, restoreSnapshot } from '../core/tenant/reset.ts';
import { diffStates } from '../core/state/state.ts';
import type { State } from '../core/state/state.ts';
import type { Tenant } from '../core/tenant/tenant.ts';
import { finishInTurns } from '../core/time/steps.ts';
import type { Steps } from '../core/time/steps.ts';
import { tenantNamePattern } from '../core/tenant/registry.ts';
import { didYouMean } from '../core/lib/suggest.ts';
import { requiredText } from '../core/validation/field-types.ts';
import { invalidFieldError, apiError } from '../service/errors/catalog.ts';
import { adminEndpoint, pageParameters, tenantQuery } from './input/admin-context.ts';
import { findMoment } from './input/past-request.ts';
import { effectSchema, serializeEffects } from './serialize/effects.ts';

const tag = 'Control: snapshots';
/** Limits the snapshots of one tenant; they share the rows that are equal. */
const maxSnapshots = 1000;
// States that can be compared like snapshots, so no snapshot may have their names.
const seed = 'seed';
const current = 'current';

const snapshotSchema = z.strictObject({ name: z.string(), takenAt: z.string() });
export const restoredSchema = z.strictObject({ restored: z.string(), now: z.string(), frozen: z.boolean() });
const countsSchema = z.strictObject({ created: z.int(), updated: z.int(), deleted: z.int() });
type Counts = z.infer<typeof countsSchema>;

const comparedState = 'A snapshot, "seed", "current", or "request:<id>" for the state right after a request';

const diffQuery = tenantQuery.extend({
  from: requiredText.default(seed).describe(comparedState),
  to: requiredText.default(current).describe(comparedState),
  limit: pageParameters.limit.describe('Lists this many effects; all of them are counted'),
});

function snapshotNotFound(tenant: Tenant, name: string, others: readonly string[] = []) {
  const known = [...tenant.snapshots.entries()].map(([taken]) => taken);
  const hint = didYouMean(name, [...known, ...others]) || '.';
  return apiError('NotFound', { message: `There is no snapshot "${name}"${hint} GET /__admin/snapshots lists them.` });
}

function createSnapshot(tenant: Tenant, name: string): z.infer<typeof snapshotSchema> {
  if (!tenantNamePattern.test(name) || [seed, current, 'diff'].includes(name)) {
    throw invalidFieldError(
      'name',
      `"${name}" can't be a snapshot's name: letters, digits, ".", "_" and "-", at most 64, and not ${seed}, ${current} or diff`,
    );
  }
  if (tenant.snapshots.size >= maxSnapshots && !tenant.snapshots.get(name)) {
    const message = `There are ${maxSnapshots} snapshots of the tenant "${tenant.name}", the most that it may have; DELETE /__admin/snapshots/{name} forgets one.`;
    throw apiError('Conflict', { message });
  }
  saveSnapshot(tenant, name);
  return { name, takenAt: toTimestamp(tenant.clock.now()) };
}

/** Leads from a request's id to the name of the state right after it: no snapshot may have a colon in its name. */
const requestPrefix = 'request:';

async function stateNamed(tenant: Tenant, name: string): Promise<State> {
  if (name === seed) return tenant.seedState;
  if (name === current) return tenant.state;
  if (name.startsWith(requestPrefix)) return (await findMoment(tenant, name.slice(requestPrefix.length))).state;
  const snapshot = tenant.snapshots.get(name);
  if (!snapshot) throw snapshotNotFound(tenant, name, [seed, current]);
  return snapshot.state;
}

interface Comparison {
  readonly counts: Record<string, Counts>;
  readonly effects: Effect[];
  readonly truncated: boolean;
}

function* compareStates(from: State, to: State, limit: number): Steps<Comparison> {
  const counts: Record<string, Counts> = {};
  const effects: Effect[] = [];
  let total = 0;
  for (const difference of diffStates(from, to)) {
    for (const effect of serializeEffects([difference])) {
      const counted = (counts[effect.table] ??= { created: 0, updated: 0, deleted: 0 });
      counted[effect.change]++;
      total++;
      if (effects.length < limit) effects.push(effect);
    }
    yield;
  }
  return { counts, effects, truncated: total > effects.length };
}

export const snapshotEndpoints = [
  adminEndpoint({
    id: 'listSnapshots',
    method: 'GET',
    path: '/__admin/snapshots',
    tag,
    summary: "Lists a tenant's snapshots in the order in which they were taken",
    query: tenantQuery,
    responses: { 200: z.strictObject({ snapshots: z.array(snapshotSchema) }) },
    retry: 'safe',
    examples: [{ status: 200 }],
    handle: ({ tenant }) => {
      const taken = [...tenant.snapshots.entries()];
      return apiResponse(200, {
        snapshots: taken.map(([name, { takenAt }]) => ({ name, takenAt: toTimestamp(takenAt) })),
      });
    },
  }),
  adminEndpoint({
    id: 'takeSnapshot',
    method: 'POST',
    path: '/__admin/snapshots/{name}',
    tag,
    summary: 'Takes a snapshot of state, queue and clock; replaces a snapshot of that name',
    query: tenantQuery,
    responses: { 201: snapshotSchema },
    errors: ['Conflict'],
    retry: 'idempotent',
    examples: [{ params: { name: 'before-checkout' }, status: 201 }],
    handle: ({ tenant }, { params }) => apiResponse(201, createSnapshot(tenant, params.name ?? '')),
  }),
  adminEndpoint({
    id: 'deleteSnapshot',
    method: 'DELETE',
    path: '/__admin/snapshots/{name}',
    tag,
    summary: 'Deletes a snapshot',
    query: tenantQuery,
    responses: { 200: z.strictObject({ deleted: z.string() }) },
    errors: ['NotFound'],
    retry: 'once',
    examples: [{ params: { name: 'before-checkout' }, status: 404 }],
    handle: ({ tenant }, { params: { name = '' } }) => {
      if (!tenant.snapshots.delete(name)) throw snapshotNotFound(tenant, name);
      return apiResponse(200, { deleted: name });
    },
  }),
  adminEndpoint({
    id: 'restoreSnapshot',
    method: 'POST',
    path: '/__admin/snapshots/{name}/restore',
    tag,
    summary: 'Restores state, queue and clock as they were when the snapshot was taken',
    query: tenantQuery,
    responses: { 200: restoredSchema },
    errors: ['NotFound'],
    retry: 'idempotent',
    examples: [{ params: { name: 'before-checkout' }, status: 404 }],
    handle: async ({ tenant }, { params: { name = '' } }) => {
      const snapshot = tenant.snapshots.get(name);
      if (!snapshot) throw snapshotNotFound(tenant, name);
      await tenant.withStateSaved(snapshot.state, 'tenant', () => restoreSnapshot(tenant, name, snapshot));
      const restored = { restored: name, now: toTimestamp(tenant.clock.now()), frozen: tenant.clock.isFrozen };
      await tenant.scheduler.runDueInTurns();
      return apiResponse(200, restored);
    },
  }),
  adminEndpoint({
    id: 'compareSnapshots',
    method: 'GET',
    path: '/__admin/snapshots/diff',
    tag,
    summary: 'Compares two snapshots, the seed, the current state or that after a request, row by row, field by field',
    query: diffQuery,
    responses: {
      200: z.strictObject({
        from: z.string(),
        to: z.string(),
        counts: z.record(z.string(), countsSchema),
        effects: z.array(effectSchema),
        truncated: z.boolean(),
      }),
    },
    errors: ['NotFound', 'Conflict'],
    retry: 'safe',
    examples: [{ query: { from: 'seed', to: 'current' }, status: 200 }],
    handle: async ({ tenant }, { query: { from, to, limit } }) => {
      const [before, after] = await Promise.all([stateNamed(tenant, from), stateNamed(tenant, to)]);
      const compared = await finishInTurns(compareStates(before, after, limit));
      return apiResponse(200, { from, to, ...compared });
    },
  }),
];
