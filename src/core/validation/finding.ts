/** Defines findings about a client or a receiver: how much they count, and what the rule behind them rests on. */
import * as z from './deferred-zod.ts';

/** `fail` makes a verdict FAIL, `inconclusive` makes it INCONCLUSIVE, and `note` changes no verdict (as SARIF levels do). */
export const findingLevelSchema = z
  .enum(['fail', 'inconclusive', 'note'])
  .describe('fail: the verdict is FAIL; inconclusive: it is INCONCLUSIVE; note: it stays as it is');

export type FindingLevel = z.infer<typeof findingLevelSchema>;

export const basisSchema = z
  .strictObject({
    source: z
      .enum(['specification', 'policy', 'assumption', 'guidance'])
      .describe(
        'specification: the text is quoted from it; policy: the client declares it; assumption: the specification is ' +
          'silent, and an assumption fills the gap; guidance: good practice, required by no text',
      ),
    text: z.string(),
  })
  .meta({ id: 'Basis', description: 'Names what a rule rests on' });

export type Basis = z.infer<typeof basisSchema>;
