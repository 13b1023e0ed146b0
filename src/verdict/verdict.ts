/** What is found when what happened is held against what was expected. */
import * as z from 'zod';
import { operationSchema } from './verdict-json.ts';

/** INCONCLUSIVE: what happened doesn't tell. */
const wordSchema = z.enum(['PASS', 'FAIL', 'INCONCLUSIVE']);

export const checkSchema = z
  .strictObject({
    description: z.string(),
    verdict: wordSchema,
    reason: z.string(),
    calls: z.array(z.string()).describe('Ids of the requests that it rests on'),
  })
  .meta({ id: 'Check', description: 'One expectation, and whether it was met' });

export type Check = z.infer<typeof checkSchema>;

export const ruleCheckSchema = z
  .strictObject({
    id: z.string(),
    description: z.string().nullable(),
    matched: z.int().describe('How many calls it was meant for'),
    fired: z.int(),
    verdict: wordSchema,
    reason: z.string(),
  })
  .meta({ id: 'RuleCheck', description: 'A rule, and whether what it plans came to pass' });

export type RuleCheck = z.infer<typeof ruleCheckSchema>;

export const verdictSchema = z
  .strictObject({
    verdict: wordSchema,
    reason: z.string().describe('In one sentence'),
    checks: z.array(checkSchema),
    rules: z.array(ruleCheckSchema),
    operations: z.array(operationSchema).describe('What the client meant to do, and whether it retried rightly'),
    calls: z.int().describe('How many requests the journal holds'),
    evicted: z.int().describe('How many it dropped to make room'),
  })
  .meta({ id: 'Verdict' });

export type Verdict = z.infer<typeof verdictSchema>;

/** A finding in one line; a reason may begin with what was expected, as the description does. */
export const formatCheck = ({ description, reason }: Pick<Check, 'description' | 'reason'>): string =>
  reason.startsWith(description) || reason.startsWith(`expected ${description}`) ? reason : `${description}: ${reason}`;
