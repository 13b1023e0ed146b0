/** Declares what the control API shows of an exploration. */
import * as z from '../../core/validation/deferred-zod.ts';
import { verdictStatusSchema } from '../../verdict/status.ts';

const settled = ['found', 'tried', 'together', 'kept', 'equivalent', 'undecided', 'unreachable', 'not-tried'] as const;
const statuses = ['planned', 'running', ...settled] as const;

const pointSchema = z.strictObject({
  id: z.string().describe('The request and the fault, as in explore.json'),
  level: z.int(),
  phase: z.enum(['before', 'after', 'response', 'webhook']),
  status: z
    .enum(statuses)
    .describe('`planned` while it is to be tried, `running` in a run that goes on; the others as in explore.json'),
  run: z.int().optional(),
  attempts: z.int().optional(),
  witness: z.string().optional().describe('The point that stands for it'),
  reason: z.string().optional(),
  tenant: z.string().optional().describe('The tenant of its run, as long as there is one'),
});

const findingSchema = z.strictObject({
  id: z.string(),
  rule: z.string(),
  title: z.string(),
  endpoint: z.string(),
  message: z.string(),
  advice: z.string(),
  faults: z.array(z.string()),
  points: z.array(z.string()),
  shrunk: z.boolean().describe('True when these are the fewest and weakest faults that show it'),
  tenant: z.string().nullable().describe('The tenant of a run that shows it, until exploring ends'),
});

export const liveExplorationSchema = z
  .strictObject({
    stage: z.enum(['learning', 'exploring', 'shrinking', 'varying', 'ended']),
    verdict: verdictStatusSchema.nullable().describe('Null until it has ended'),
    reason: z.string().nullable(),
    requests: z.int().describe('Counts the requests that a run without faults sends'),
    runs: z.int().describe('Counts the runs that were begun'),
    points: z.array(pointSchema),
    findings: z.array(findingSchema),
    running: z.array(z.strictObject({ run: z.int(), title: z.string(), tenant: z.string() })),
  })
  .meta({ id: 'LiveExploration', description: 'Says how far an exploration is, and what it has found so far' });
