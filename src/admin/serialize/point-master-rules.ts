import * as z from 'zod';
import type { ActivePointMasterRule } from '../../faults/point-master-rules.ts';

export const activePointMasterRuleSchema = z
  .strictObject({
    id: z.string(),
    matched: z.int().describe('How many calls it matched'),
    hits: z.int().describe('How often it fired'),
    left: z.int().nullable().describe('How often it may still fire; null: without an end'),
    rule: z.looseObject({}).describe('As it was written'),
  })
  .meta({
    id: 'ActiveMasterRule',
    description: 'What goes wrong with the point master beside it, and what has become of it so far',
  });

export const serializePointMasterRule = ({
  rule: { id, limit, written },
  matched,
  hits,
}: ActivePointMasterRule): z.infer<typeof activePointMasterRuleSchema> => ({
  id,
  matched,
  hits,
  left: Number.isFinite(limit) ? limit - hits : null,
  rule: written,
});
