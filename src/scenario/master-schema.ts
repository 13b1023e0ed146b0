/** How a person writes down what goes wrong with the point master beside the simulator, and when. */
import * as z from 'zod';
import { integer, record } from '../resources/formats.ts';
import { milliseconds } from './milliseconds.ts';
import { expected, oneOrMore, ruleFields } from './schema.ts';

/** What the service calls the point master for, and the point master the service. */
export const masterCalls = ['webhook', 'history', 'sync'] as const;
export type MasterCall = (typeof masterCalls)[number];

export const syncFaults = ['late-sync', 'repeated-sync', 'stale-sync', 'partial-sync'] as const;

const bareFaults = ['down', 'error', 'lost-answer', 'repeated-sync', 'stale-sync', 'partial-sync'] as const;

const longestDelay = 3_600_000;
const delay = milliseconds.refine((sent) => sent <= longestDelay, { error: 'must be at most 1h' });
const statusRange = { error: 'must be from 400 to 599' };

const faultForms = `one of ${bareFaults.join(', ')}, or {"error": 503}, {"slow": "20s"} or {"late-sync": "30s"}`;

const withValue = record({
  error: integer.min(400, statusRange).max(599, statusRange).optional().describe('This status is answered instead'),
  slow: delay.optional().describe('Done at once, and answered so much later in real time'),
  'late-sync': delay.optional().describe('Sent so much later in real time, with the totals of when it was due'),
}).refine((sent) => Object.keys(sent).length === 1, { error: `must be ${faultForms}` });

const fault = z.union([z.enum(bareFaults, { error: `must be ${faultForms}` }), withValue], {
  error: expected(faultForms),
});

export const masterRuleFields = {
  ...ruleFields,
  match: record({
    call: z
      .enum(masterCalls, { error: `must be one of ${masterCalls.join(', ')}` })
      .optional()
      .describe('webhook or history, which the service calls; sync, in which the master sends balances'),
  })
    .optional()
    .describe('Which calls; all of them that the fault can happen to unless given'),
  fault: oneOrMore(fault, faultForms).describe(`What goes wrong: ${faultForms}, or a list of these`),
};

export const masterRuleSchema = record(masterRuleFields).meta({ id: 'MasterRule' });

export type WrittenMasterRule = z.output<typeof masterRuleSchema>;
