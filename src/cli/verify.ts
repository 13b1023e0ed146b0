/** `loyalty-sim verify`: the verdict on a running simulator, for people and for CI. */
import { verdictSchema } from '../verdict/verdict.ts';
import { adminClient } from './admin-client.ts';
import type { SimFlags } from './admin-client.ts';
import { printAnswer } from './print.ts';
import { redact } from './redact.ts';
import { verdictCodes, verdictLines } from './verdict-lines.ts';

interface VerifyFlags extends SimFlags {
  readonly wait?: string;
}

export async function verify(flags: VerifyFlags): Promise<number> {
  const call = adminClient(flags);
  const verdict = await call('/verify', { method: 'POST', query: { wait: flags.wait }, answer: verdictSchema });
  printAnswer(flags, verdict, verdictLines(verdict).map(redact));
  return verdictCodes[verdict.verdict];
}
