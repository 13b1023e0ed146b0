/** `loyalty-sim trigger`: lets happen what happens inside the service and not through its API. */
import * as z from 'zod';
import { InputError } from '../../core/lib/input-error.ts';
import { adminClient, flagForField } from '../remote/admin-client.ts';
import type { RemoteFlags } from '../remote/admin-client.ts';
import { formatEffect, effectsSchema } from '../format/effects.ts';
import { printResponse } from '../process/terminal.ts';

interface TriggerFlags extends RemoteFlags {
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
export async function triggerCommand(event: string, flags: TriggerFlags): Promise<number> {
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
  const answer = await adminClient(flags)('/trigger', {
    method: 'POST',
    body,
    responseSchema: triggeredSchema,
    fieldLabel,
  });
  const { effects, warnings, balances } = answer;
  const sent = `  the point master sent ${balances} ${balances === 1 ? 'balance' : 'balances'}`;
  const nothing = balances === undefined ? '  nothing changed' : sent;
  const changed = effects.length > 0 ? effects.flatMap(formatEffect) : [nothing];
  const warned = warnings.map(({ code, message }) => `  ${code}: ${message}`);
  printResponse(flags, answer, [`${answer.event} is done`, ...changed, ...warned]);
  return 0;
}

const fieldLabels: Readonly<Record<string, string>> = { event: 'event', active: '--active or --no-active' };
const fieldLabel = (field: string): string => fieldLabels[field] ?? flagForField(field);

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
