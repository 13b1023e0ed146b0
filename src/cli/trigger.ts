/** `loyalty-sim trigger`: lets happen what happens inside the service and not through its API. */
import * as z from 'zod';
import { InputError } from '../core/errors.ts';
import { adminClient, flagOf } from './admin-client.ts';
import type { SimFlags } from './admin-client.ts';
import { effectLines, effectsSchema } from './effects.ts';
import { printAnswer } from './print.ts';

interface TriggerFlags extends SimFlags {
  readonly contactId?: string;
  readonly definitionId?: string;
  readonly promotionId?: string;
  readonly amount?: string;
  readonly description?: string;
  readonly by?: string;
  readonly reason?: string;
  readonly processId?: string;
  readonly workflowId?: string;
  readonly workflowName?: string;
  readonly userId?: string;
  readonly userName?: string;
  readonly active?: boolean;
}

const triggeredSchema = z.looseObject({
  event: z.string(),
  effects: effectsSchema,
  warnings: z.array(z.looseObject({ code: z.string(), message: z.string() })),
  balances: z.int().optional(),
});

/** The simulator knows which events there are and what each of them needs. */
export async function trigger(event: string, flags: TriggerFlags): Promise<number> {
  const { contactId, definitionId, promotionId, amount, description, by, active } = flags;
  const body = {
    event,
    contactId,
    definitionId,
    promotionId,
    amount: amount === undefined ? undefined : numberFrom('--amount', amount),
    description,
    by,
    ...detailsOf(flags),
    active,
  };
  const answer = await adminClient(flags)('/trigger', { method: 'POST', body, answer: triggeredSchema, spoken });
  const { effects, warnings, balances } = answer;
  const sent = `  the point master sent ${balances} ${balances === 1 ? 'balance' : 'balances'}`;
  const nothing = balances === undefined ? '  nothing changed' : sent;
  const changed = effects.length > 0 ? effects.flatMap(effectLines) : [nothing];
  const warned = warnings.map(({ code, message }) => `  ${code}: ${message}`);
  printAnswer(flags, answer, [`${answer.event} is done`, ...changed, ...warned]);
  return 0;
}

const spokenFields: Readonly<Record<string, string>> = { event: 'event', active: '--active or --no-active' };
const spoken = (field: string): string => spokenFields[field] ?? flagOf(field);

/** What only a point master is told. */
const detailsOf = ({ reason, processId, workflowId, workflowName, userId, userName }: TriggerFlags): object => ({
  reason,
  processId,
  workflowId,
  workflowName,
  userId,
  userName,
});

function numberFrom(flag: string, sent: string): number {
  const number = sent.trim() === '' ? Number.NaN : Number(sent);
  if (Number.isFinite(number)) return number;
  throw new InputError(`${flag}: expected a number, got "${sent}"`);
}
