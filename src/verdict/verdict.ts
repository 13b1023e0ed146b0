/** Describes the JSON of a verdict: what happened, compared with what was expected. */
import * as z from '../core/validation/deferred-zod.ts';
import { verdictStatusSchema } from './status.ts';
import { operationSchema } from './verdict-json.ts';
import { warningCountSchema } from './warnings.ts';

export const checkSchema = z
  .strictObject({
    description: z.string(),
    verdict: verdictStatusSchema,
    reason: z.string(),
    requests: z.array(z.string()).describe('Ids of the requests that it rests on'),
  })
  .meta({ id: 'Check', description: 'One expectation and its verdict' });

export type Check = z.infer<typeof checkSchema>;

export const ruleCheckSchema = z
  .strictObject({
    id: z.string(),
    description: z.string().nullable(),
    matched: z.int().describe('Counts the requests that it matches'),
    fired: z.int(),
    verdict: verdictStatusSchema,
    reason: z.string(),
  })
  .meta({ id: 'RuleCheck', description: 'A rule of the scenario; a rule that never fired is INCONCLUSIVE' });

export type RuleCheck = z.infer<typeof ruleCheckSchema>;

export const verdictSchema = z
  .strictObject({
    verdict: verdictStatusSchema,
    reason: z
      .string()
      .describe('A line for each of the first 20 things that made it so; how many there are, when it passed'),
    checks: z.array(checkSchema),
    rules: z.array(ruleCheckSchema),
    operations: z.array(operationSchema).describe('Lists what the client meant to do, and how it retried'),
    warnings: z
      .array(warningCountSchema)
      .describe('The warnings, by their codes; they fail only where that is declared'),
    requests: z.int().describe('Counts the requests that the journal holds'),
    evicted: z.int().describe('Counts the requests that it dropped to make room'),
  })
  .meta({ id: 'Verdict' });

export type Verdict = z.infer<typeof verdictSchema>;

/** Formats a finding in one line; a reason may begin with what was expected, as the description does. */
export const formatCheck = ({ description, reason }: Pick<Check, 'description' | 'reason'>): string =>
  reason.startsWith(description) || reason.startsWith(`expected ${description}`) ? reason : `${description}: ${reason}`;
