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
