import * as z from 'zod';
import type { ActivePointMasterRule } from '../../faults/point-master-rules.ts';

export const activePointMasterRuleSchema = z
  .strictObject({
    id: z.string(),
    matched: z.int().describe('How many calls it matched'),
    fired: z.int().describe('How often it fired'),
    remaining: z.int().nullable().describe('How often it may still fire; null: without an end'),
    rule: z.looseObject({}).describe('As it was written'),
  })
  .meta({
    id: 'ActiveMasterRule',
    description: 'What goes wrong with the point master beside it, and what has become of it so far',
  });

export const serializePointMasterRule = ({
  rule: { id, limit, written },
  matched,
  fired,
}: ActivePointMasterRule): z.infer<typeof activePointMasterRuleSchema> => ({
  id,
  matched,
  fired,
  remaining: Number.isFinite(limit) ? limit - fired : null,
  rule: written,
});
