import * as z from 'zod';
import { toTimestamp } from '../../core/clock.ts';
import type { Effect } from '../../core/effects.ts';
import { answer } from '../../core/endpoint.ts';
import { keepSnapshot, restoreSnapshot } from '../../core/returning.ts';
import { differences } from '../../core/state.ts';
import type { State } from '../../core/state.ts';
import type { Tenant } from '../../core/tenant.ts';
import { tenantNamePattern } from '../../core/tenants.ts';
import { didYouMean } from '../../core/warning.ts';
import { requiredText } from '../../resources/formats.ts';
import { invalidField, refusal } from '../../resources/refusals.ts';
import { controlEndpoint, pageParameters, tenantQuery } from './control.ts';
import { effectSchema, showEffects } from './effects.ts';

const tag = 'Control: snapshots';
/** Of one tenant; what they share takes no more room, what differs does. */
const maxSnapshots = 1000;
/** States that can be compared like snapshots, and so can't be names of any. */
const seed = 'seed';
const current = 'current';

const snapshotSchema = z.strictObject({ name: z.string(), takenAt: z.string() });
export const restoredSchema = z.strictObject({ restored: z.string(), now: z.string(), frozen: z.boolean() });
const countsSchema = z.strictObject({ created: z.int(), updated: z.int(), removed: z.int() });
type Counts = z.infer<typeof countsSchema>;

const diffQuery = tenantQuery.extend({
  from: requiredText.default(seed).describe('A snapshot, "seed" or "current"'),
  to: requiredText.default(current).describe('A snapshot, "seed" or "current"'),
  limit: pageParameters.limit.describe('How many effects to list; they are counted all the same'),
});

function noSnapshot(tenant: Tenant, name: string, others: readonly string[] = []) {
  const known = [...tenant.snapshots.entries()].map(([taken]) => taken);
  const hint = didYouMean(name, [...known, ...others]) || '.';
  return refusal('NotFound', { message: `There is no snapshot "${name}"${hint} GET /__admin/snapshots lists them.` });
}

function takeSnapshot(tenant: Tenant, name: string): z.infer<typeof snapshotSchema> {
  if (!tenantNamePattern.test(name) || [seed, current, 'diff'].includes(name)) {
    throw invalidField(
      'name',
      `"${name}" can't be a snapshot's name: letters, digits, ".", "_" and "-", at most 64, and not ${seed}, ${current} or diff`,
    );
  }
  if (tenant.snapshots.size >= maxSnapshots && !tenant.snapshots.get(name)) {
    const message = `There are ${maxSnapshots} snapshots of the tenant "${tenant.name}", the most that it may have; DELETE /__admin/snapshots/{name} forgets one.`;
    throw refusal('Conflict', { message });
  }
  keepSnapshot(tenant, name);
  return { name, takenAt: toTimestamp(tenant.clock.now()) };
}

function stateNamed(tenant: Tenant, name: string): State {
  if (name === seed) return tenant.seedState;
  if (name === current) return tenant.state;
  const snapshot = tenant.snapshots.get(name);
  if (!snapshot) throw noSnapshot(tenant, name, [seed, current]);
  return snapshot.state;
}

function compareStates(from: State, to: State, limit: number) {
  const counts: Record<string, Counts> = {};
  const effects: Effect[] = [];
  let total = 0;
  for (const difference of differences(from, to)) {
    for (const effect of showEffects([difference])) {
      const counted = (counts[effect.table] ??= { created: 0, updated: 0, removed: 0 });
      counted[effect.change]++;
      total++;
      if (effects.length < limit) effects.push(effect);
    }
  }
  return { counts, effects, truncated: total > effects.length };
}

export const snapshotEndpoints = [
  controlEndpoint({
    id: 'listSnapshots',
    method: 'GET',
    path: '/__admin/snapshots',
    tag,
    summary: "A tenant's snapshots in the order they were taken",
    query: tenantQuery,
    answers: { 200: z.strictObject({ snapshots: z.array(snapshotSchema) }) },
    retry: 'read',
    examples: [{ status: 200 }],
    handle: ({ tenant }) => {
      const taken = [...tenant.snapshots.entries()];
      return answer(200, { snapshots: taken.map(([name, { takenAt }]) => ({ name, takenAt: toTimestamp(takenAt) })) });
    },
  }),
  controlEndpoint({
    id: 'takeSnapshot',
    method: 'POST',
    path: '/__admin/snapshots/{name}',
    tag,
    summary: 'Keeps the state, the queue and the clock under a name; takes the place of a snapshot of that name',
    query: tenantQuery,
    answers: { 201: snapshotSchema },
    refusals: ['Conflict'],
    retry: 'idempotent',
    examples: [{ params: { name: 'before-checkout' }, status: 201 }],
    handle: ({ tenant }, { params }) => answer(201, takeSnapshot(tenant, params.name ?? '')),
  }),
  controlEndpoint({
    id: 'removeSnapshot',
    method: 'DELETE',
    path: '/__admin/snapshots/{name}',
    tag,
    summary: 'Forgets a snapshot',
    query: tenantQuery,
    answers: { 200: z.strictObject({ removed: z.string() }) },
    refusals: ['NotFound'],
    retry: 'flip',
    examples: [{ params: { name: 'before-checkout' }, status: 404 }],
    handle: ({ tenant }, { params: { name = '' } }) => {
      if (!tenant.snapshots.delete(name)) throw noSnapshot(tenant, name);
      return answer(200, { removed: name });
    },
  }),
  controlEndpoint({
    id: 'restoreSnapshot',
    method: 'POST',
    path: '/__admin/snapshots/{name}/restore',
    tag,
    summary: 'Puts state, queue and clock back as they were when the snapshot was taken',
    query: tenantQuery,
    answers: { 200: restoredSchema },
    refusals: ['NotFound'],
    retry: 'idempotent',
    examples: [{ params: { name: 'before-checkout' }, status: 404 }],
    handle: ({ tenant }, { params: { name = '' } }) => {
      if (!restoreSnapshot(tenant, name)) throw noSnapshot(tenant, name);
      return answer(200, { restored: name, now: toTimestamp(tenant.clock.now()), frozen: tenant.clock.frozen });
    },
  }),
  controlEndpoint({
    id: 'compareSnapshots',
    method: 'GET',
    path: '/__admin/snapshots/diff',
    tag,
    summary: 'What differs between two snapshots, the seed and the present, row by row and field by field',
    query: diffQuery,
    answers: {
      200: z.strictObject({
        from: z.string(),
        to: z.string(),
        counts: z.record(z.string(), countsSchema),
        effects: z.array(effectSchema),
        truncated: z.boolean(),
      }),
    },
    refusals: ['NotFound'],
    retry: 'read',
    examples: [{ query: { from: 'seed', to: 'current' }, status: 200 }],
    handle: ({ tenant }, { query: { from, to, limit } }) =>
      answer(200, { from, to, ...compareStates(stateNamed(tenant, from), stateNamed(tenant, to), limit) }),
  }),
];
