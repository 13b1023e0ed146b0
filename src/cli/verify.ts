/** `loyalty-sim verify`: the verdict on a running simulator, for people and for CI. */
import { verdictSchema } from '../verdict/verdict.ts';
import { adminClient } from './admin-client.ts';
import type { SimFlags } from './admin-client.ts';
import { printAnswer } from './print.ts';
import { verdictCodes, verdictLines } from './verdict-lines.ts';

interface VerifyFlags extends SimFlags {
  readonly wait?: string;
  readonly expect?: string;
}

export async function verify(flags: VerifyFlags): Promise<number> {
  const call = adminClient(flags);
  const body = flags.expect === undefined ? undefined : { expectations: await expectationsIn(flags.expect) };
  const verdict = await call('/verify', { method: 'POST', query: { wait: flags.wait }, body, answer: verdictSchema });
  printAnswer(flags, verdict, verdictLines(verdict));
  return verdictCodes[verdict.verdict];
}

async function expectationsIn(file: string): Promise<unknown> {
  const { loadExpectations } = await import('../scenario/expectations-file.ts');
  return loadExpectations(file);
}
