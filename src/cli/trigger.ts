/** `loyalty-sim trigger`: lets happen what happens inside the service and not through its API. */
import * as z from 'zod';
import { InputError } from '../core/errors.ts';
import { adminClient } from './admin-client.ts';
import type { SimFlags } from './admin-client.ts';
import { printAnswer } from './print.ts';

interface TriggerFlags extends SimFlags {
  readonly contactId?: string;
  readonly definitionId?: string;
  readonly promotionId?: string;
  readonly amount?: string;
  readonly description?: string;
  readonly by?: string;
}

/** The simulator knows which events there are and what each of them needs. */
export async function trigger(event: string, flags: TriggerFlags): Promise<number> {
  const { contactId, definitionId, promotionId, amount, description, by } = flags;
  const body = {
    event,
    contactId,
    definitionId: definitionId !== undefined && /^\d+$/.test(definitionId) ? Number(definitionId) : definitionId,
    promotionId,
    amount: amount === undefined ? undefined : numberFrom('--amount', amount),
    description,
    by,
  };
  const answer = await adminClient(flags)('/trigger', { method: 'POST', body, answer: z.unknown() });
  printAnswer(flags, answer, [`${event} is done: ${JSON.stringify(answer)}`]);
  return 0;
}

function numberFrom(flag: string, sent: string): number {
  const number = sent.trim() === '' ? Number.NaN : Number(sent);
  if (Number.isFinite(number)) return number;
  throw new InputError(`${flag}: expected a number, got "${sent}"`);
}
