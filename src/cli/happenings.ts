/** What a simulator did while its clock was turned, for people to read. */
import * as z from 'zod';

export const happeningsSchema = z.array(
  z.looseObject({ at: z.string(), kind: z.string(), effects: z.array(z.unknown()), error: z.string().nullable() }),
);

export const happeningLines = (happenings: z.infer<typeof happeningsSchema>): string[] =>
  happenings.map(({ at, kind, effects, error }) => {
    const what =
      error === null ? `${effects.length} ${effects.length === 1 ? 'effect' : 'effects'}` : `failed: ${error}`;
    return `  ${at} ${kind}: ${what}`;
  });
