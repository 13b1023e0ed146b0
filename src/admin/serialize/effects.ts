/** Serializes changes of rows, with their times as timestamps. */
import * as z from '../../core/validation/deferred-zod.ts';
import { toTimestamp } from '../../core/time/clock.ts';
import { effectsOf, fieldChange } from '../../core/state/effects.ts';
import type { Effect, FieldChange } from '../../core/state/effects.ts';
import type { RowChange } from '../../core/state/state.ts';
import { tables } from '../../service/tables.ts';

const fieldChangeSchema = z.strictObject({ from: z.unknown().optional(), to: z.unknown().optional() });

export const effectSchema = z
  .strictObject({
    table: z.string(),
    key: z.string(),
    change: z.enum(['created', 'updated', 'deleted']),
    fields: z.record(z.string(), fieldChangeSchema),
  })
  .meta({ id: 'Effect', description: 'The change of one row, field by field' });

export const warningSchema = z.strictObject({ code: z.string(), message: z.string() });

type Moments = ReadonlySet<string>;

const momentsIn: ReadonlyMap<string, Moments> = new Map(
  tables.flatMap(({ name, timestampFields: moments }) => (moments ? [[name, new Set(moments)]] : [])),
);

export const serializeEffects = (changes: Iterable<RowChange>): Effect[] => effectsOf(changes).map(serializeEffect);

function serializeEffect(effect: Effect): Effect {
  const moments = momentsIn.get(effect.table);
  if (!moments) return effect;
  const fields: Record<string, FieldChange> = {};
  for (const name in effect.fields) fields[name] = shown(moments, name, effect.fields[name] as FieldChange);
  return { ...effect, fields };
}

/** Shows the sides that are there. */
function shown(moments: Moments, name: string, change: FieldChange): FieldChange {
  const from = formatTimestamps(moments, name, change.from);
  const to = formatTimestamps(moments, name, change.to);
  return from === change.from && to === change.to ? change : fieldChange(from, to);
}

function formatTimestamps(moments: Moments, path: string, value: unknown): unknown {
  if (typeof value === 'number') return moments.has(path) ? toTimestamp(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => formatTimestamps(moments, path, item));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, formatTimestamps(moments, `${path}.${name}`, inner)]),
  );
}
