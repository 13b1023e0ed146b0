/** Formats effects of rows and executed jobs for people. */
import * as z from '../../core/validation/deferred-zod.ts';

export const effectsSchema = z.array(
  z.looseObject({
    table: z.string(),
    key: z.string(),
    change: z.string(),
    fields: z.record(z.string(), z.object({ from: z.unknown().optional(), to: z.unknown().optional() })),
  }),
);

type EffectJson = z.infer<typeof effectsSchema>[number];

/** Returns a line for the row, and one for each of its fields. */
export const formatEffect = ({ table, key, change, fields }: EffectJson): string[] => [
  `  ${change} ${table} ${key}`,
  ...Object.entries(fields).map(([name, field]) => `    ${name}: ${changeOf(field)}`),
];

function changeOf({ from, to }: EffectJson['fields'][string]): string {
  const after = to === undefined ? '–' : JSON.stringify(to);
  return from === undefined ? after : `${JSON.stringify(from)} → ${after}`;
}

export const executedJobsSchema = z.array(
  z.looseObject({ at: z.string(), kind: z.string(), effects: effectsSchema, error: z.string().nullable() }),
);

/** Returns a line for each job that was executed. */
export const formatExecutedJobs = (executed: z.infer<typeof executedJobsSchema>): string[] =>
  executed.map(({ at, kind, effects, error }) => {
    const done = `${effects.length} ${effects.length === 1 ? 'effect' : 'effects'}`;
    return `  ${at} ${kind}: ${error === null ? done : `failed: ${error}`}`;
  });

export const stateDiffSchema = z.looseObject({
  from: z.string(),
  to: z.string(),
  counts: z.record(z.string(), z.record(z.string(), z.int())),
  effects: effectsSchema,
  truncated: z.boolean(),
});

/** Returns lines for what differs between two states, and how to see more of it. */
export function formatStateDiff(
  { from, to, counts, effects, truncated }: z.infer<typeof stateDiffSchema>,
  more: string,
): string[] {
  const tables = Object.entries(counts).map(([table, changes]) => {
    const present = Object.entries(changes).filter(([, count]) => count > 0);
    return `  ${table}: ${present.map(([change, count]) => `${count} ${change}`).join(', ')}`;
  });
  if (tables.length === 0) return [`nothing differs between ${from} and ${to}`];
  const rest = truncated ? [`  … and more; ${more}`] : [];
  return [`from ${from} to ${to}`, ...tables, ...effects.flatMap(formatEffect), ...rest];
}
