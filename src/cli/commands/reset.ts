import * as z from '../../core/validation/deferred-zod.ts';
import { adminClient } from '../remote/admin-client.ts';
import type { RemoteFlags } from '../remote/admin-client.ts';
import { printResponse } from '../process/terminal.ts';
import { withRemoteFlags } from '../flags/remote-flags.ts';
import { withExamples, repeatableFlag } from '../flags/shared-flags.ts';
import type { DeclareCommand } from '../flags/shared-flags.ts';

export const declareReset: DeclareCommand = (command, done) => {
  withRemoteFlags(command)
    .addOption(
      repeatableFlag('--scope <name>', 'part to reset: state, journal, faults, clock, queue, webhooks (default: all)'),
    )
    .action(async (flags: ResetFlags) => done(await reset(flags)));
  withExamples(command, 'loyalty-sim reset', 'loyalty-sim reset --scope journal --scope faults');
};

interface ResetFlags extends RemoteFlags {
  readonly scope?: readonly string[];
}

const resetSchema = z.looseObject({ tenant: z.string(), scopes: z.array(z.string()), notes: z.array(z.string()) });

async function reset(flags: ResetFlags): Promise<number> {
  const response = await adminClient(flags)('/reset', {
    method: 'POST',
    body: flags.scope ? { scopes: flags.scope } : {},
    responseSchema: resetSchema,
  });
  const { tenant, scopes, notes } = response;
  printResponse(flags, response, [`tenant ${tenant} is reset: ${scopes.join(', ')}`, ...notes]);
  return 0;
}
