/** `loyalty-sim verify`: the verdict on a running simulator, for people and for CI. */
import { verdictSchema } from '../../verdict/verdict.ts';
import { adminClient } from '../remote/admin-client.ts';
import type { RemoteFlags } from '../remote/admin-client.ts';
import { printResponse } from '../process/terminal.ts';
import { verdictExitCodes, formatVerdict } from '../format/verdict.ts';

interface VerifyFlags extends RemoteFlags {
  readonly wait?: string;
  readonly expect?: string;
}

export async function verifyCommand(flags: VerifyFlags): Promise<number> {
  const call = adminClient(flags);
  const body = flags.expect === undefined ? undefined : { expectations: await expectationsIn(flags.expect) };
  const verdict = await call('/verify', {
    method: 'POST',
    query: { wait: flags.wait },
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
