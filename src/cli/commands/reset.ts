/** `loyalty-sim reset`: puts a tenant of a running simulator back to its start. */
import * as z from 'zod';
import { adminClient } from '../remote/admin-client.ts';
import type { RemoteFlags } from '../remote/admin-client.ts';
import { printResponse } from '../process/terminal.ts';

interface ResetFlags extends RemoteFlags {
  readonly scope?: readonly string[];
}

const resetSchema = z.looseObject({ tenant: z.string(), scopes: z.array(z.string()), notes: z.array(z.string()) });

export async function resetCommand(flags: ResetFlags): Promise<number> {
  const answer = await adminClient(flags)('/reset', {
    method: 'POST',
    body: flags.scope ? { scopes: flags.scope } : {},
    responseSchema: resetSchema,
  });
  const { tenant, scopes, notes } = answer;
  printResponse(flags, answer, [`tenant ${tenant} is as at its start: ${scopes.join(', ')}`, ...notes]);
  return 0;
}
