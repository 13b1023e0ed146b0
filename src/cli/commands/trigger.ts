import * as z from 'zod';
import { InputError } from '../../core/lib/input-error.ts';
import { adminClient, flagForField } from '../remote/admin-client.ts';
import type { RemoteFlags } from '../remote/admin-client.ts';
import { formatEffect, effectsSchema } from '../format/effects.ts';
import { printResponse } from '../process/terminal.ts';
import { withDataFlags } from '../flags/remote-flags.ts';
import { withExamples } from '../flags/shared-flags.ts';
import type { DeclareCommand } from '../flags/shared-flags.ts';

export const declareTrigger: DeclareCommand = (program, done) => {
  const command = withDataFlags(program.command('trigger'))
    .description('cause an event inside the service of a running simulator')
    .argument(
      '<event>',
      'adjustPoints, assignPromotion, assignChallenge, convertPoints, switchPendingPoints or syncBalances',
    )
    .optionsGroup('Event:')
    .option('--contact-id <id>', 'contact that the event is about')
    .option('--definition-id <id>', 'definition of points or of a challenge')
    .option('--promotion-id <id>', 'promotion to assign')
    .option('--amount <n>', 'number of points; a negative number takes them away')
    .option('--description <text>', 'text of the transaction')
    .option('--by <whom>', 'automation or manual')
    .option('--active', 'switch pending points on')
    .option('--no-active', 'switch pending points off')
    .optionsGroup('Event, for the point master:')
    .option('--user-name <name>', 'name of the person who adjusts by hand')
    .option('--user-id <id>', 'id of the person who adjusts by hand')
    .option('--workflow-name <name>', 'name of the automation that adjusts')
    .option('--workflow-id <id>', 'id of the automation that adjusts')
    .option('--process-id <id>', 'id of the run of the automation')
    .option('--reason <text>', 'reason for the adjustment')
    .action(async (event: string, flags: TriggerFlags) => done(await trigger(event, flags)));
  withExamples(
    command,
    'loyalty-sim trigger syncBalances',
    'loyalty-sim trigger adjustPoints --contact-id 5a0e7c1e-0001-4000-8000-000000000001 --definition-id 1 --amount 25',
  );
};

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

/** Sends the event as it was typed: the simulator knows what each needs. */
async function trigger(event: string, flags: TriggerFlags): Promise<number> {
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
  const response = await adminClient(flags)('/trigger', {
    method: 'POST',
    body,
    responseSchema: triggeredSchema,
    fieldLabel,
  });
  const { effects, warnings, balances } = response;
  const sent = `  the point master sent ${balances} ${balances === 1 ? 'balance' : 'balances'}`;
  const nothing = balances === undefined ? '  nothing changed' : sent;
  const changed = effects.length > 0 ? effects.flatMap(formatEffect) : [nothing];
  const warned = warnings.map(({ code, message }) => `  ${code}: ${message}`);
  printResponse(flags, response, [`${response.event} is done`, ...changed, ...warned]);
  return 0;
}

const fieldLabels: Readonly<Record<string, string>> = { event: 'event', active: '--active or --no-active' };
const fieldLabel = (field: string): string => fieldLabels[field] ?? flagForField(field);

/** Holds the fields that only a point master receives. */
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
  throw new InputError(`${flag}: must be a number, not "${sent}"`);
}
