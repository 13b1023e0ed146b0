/** `loyalty-sim reset`: puts a tenant of a running simulator back to its start. */
import * as z from 'zod';
import { adminClient } from './admin-client.ts';
import type { SimFlags } from './admin-client.ts';
import { printAnswer } from './print.ts';

interface ResetFlags extends SimFlags {
  readonly scope?: readonly string[];
}

const resetSchema = z.looseObject({ tenant: z.string(), scopes: z.array(z.string()), notes: z.array(z.string()) });

export async function reset(flags: ResetFlags): Promise<number> {
  const answer = await adminClient(flags)('/reset', {
    method: 'POST',
    body: flags.scope ? { scopes: flags.scope } : {},
    answer: resetSchema,
  });
  const { tenant, scopes, notes } = answer;
  printAnswer(flags, answer, [`tenant ${tenant} is as at its start: ${scopes.join(', ')}`, ...notes]);
  return 0;
}
