/** Scenario files: how a tenant is set up, and what goes wrong. */
import * as z from 'zod';
import { integer, listOf, record, requiredText, text, timestamp } from '../resources/formats.ts';
import { milliseconds, ruleSchema } from './schema.ts';

export const scenarioFields = {
  $schema: text.optional(),
  name: requiredText.optional(),
  description: text.optional().describe('What goes wrong, and what a till should do about it'),
  fixtures: requiredText.optional().describe('A fixture file or folder, from the file’s own folder'),
  mode: z.enum(['standard', 'point-follower']).optional(),
  now: timestamp.optional().describe('Freezes the clock at this moment'),
  seed: integer.optional(),
  queueDelay: milliseconds.optional().describe('How long queued work waits: 15m'),
  assumptions: z.record(z.string(), text).optional().describe('Variants of assumptions: {"A-24": "twice"}'),
  rules: listOf(ruleSchema).optional().describe('The first that matches and has something to do decides'),
};

export const scenarioSchema = record(scenarioFields).meta({ id: 'Scenario' });

/** A scenario as it was written. */
export type WrittenScenario = z.output<typeof scenarioSchema>;
