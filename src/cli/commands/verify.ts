import { verdictSchema } from '../../verdict/verdict.ts';
import { adminClient, flagForField } from '../remote/admin-client.ts';
import type { RemoteFlags } from '../remote/admin-client.ts';
import { printResponse } from '../process/terminal.ts';
import { formatVerdict } from '../../verdict/report/text.ts';
import { verdictExitCodes } from '../format/exit-codes.ts';
import { withDataFlags } from '../flags/remote-flags.ts';
import { failOnWarningsFlag, withExamples, flagWithDefault } from '../flags/shared-flags.ts';
import type { DeclareCommand } from '../flags/shared-flags.ts';

export const declareVerify: DeclareCommand = (command, done) => {
  withDataFlags(command)
    .option('--expect <file>', 'file with the expectations to judge by (default: those of the scenario)')
    .addOption(flagWithDefault('--wait <duration>', 'longest time to wait until all is as expected', '0s'))
    .option('--client-ended', 'say that the client has ended, so that it does not still wait for its next attempt')
    .addOption(failOnWarningsFlag())
    .option(
      '--reference <tenant>',
      'tenant in which the same work was done without faults: its state is what is expected',
    )
    .action(async (flags: VerifyFlags) => done(await verify(flags)));
  withExamples(
    command,
    'loyalty-sim verify --wait 5s',
    'loyalty-sim verify --expect checkout.yaml --tenant suite-1 --json',
  );
};

interface VerifyFlags extends RemoteFlags {
  readonly wait?: string;
  readonly expect?: string;
  readonly clientEnded?: boolean;
  readonly failOnWarnings?: readonly string[];
  readonly reference?: string;
}

async function verify(flags: VerifyFlags): Promise<number> {
  const call = adminClient(flags);
  const body = flags.expect === undefined ? undefined : { expectations: await expectationsIn(flags.expect) };
  const verdict = await call('/verify', {
    method: 'POST',
    query: {
      wait: flags.wait,
      clientEnded: flags.clientEnded === undefined ? undefined : 'true',
      failOnWarnings: flags.failOnWarnings?.join(','),
      reference: flags.reference,
    },
    fieldLabel: flagForField,
    body,
    responseSchema: verdictSchema,
  });
  printResponse(flags, verdict, formatVerdict(verdict));
  return verdictExitCodes[verdict.verdict];
}

async function expectationsIn(file: string): Promise<unknown> {
  const { loadExpectations } = await import('../../scenario/expectations/expectations-file.ts');
  return loadExpectations(file);
}
