import * as z from '../../core/validation/deferred-zod.ts';
import { InputError } from '../../core/lib/input-error.ts';
import { triggerEvents } from '../../service/trigger-names.ts';
import { triggerFields } from '../../service/triggers.ts';
import type { TriggerField } from '../../service/triggers.ts';
import { adminClient, flagForField } from '../remote/admin-client.ts';
import type { RemoteFlags } from '../remote/admin-client.ts';
import { formatEffect, effectsSchema } from '../format/effects.ts';
import { printResponse } from '../process/terminal.ts';
import { withDataFlags } from '../flags/remote-flags.ts';
import { withExamples, describeArguments } from '../flags/shared-flags.ts';
import type { DeclareCommand } from '../flags/shared-flags.ts';

export const declareTrigger: DeclareCommand = (command, done) => {
  describeArguments(command, triggerEvents.join(', '));
  withDataFlags(command).optionsGroup('Event:');
  for (const { name, description, type } of fields) {
    const flag = flagForField(name);
    command.option(type === 'flag' ? flag : `${flag} <${placeholderOf(name, type)}>`, description);
    if (type === 'flag') command.option(flag.replace('--', '--no-'), `the opposite of ${flag}`);
  }
  command.action(async (event: string, flags: TriggerFlags) => done(await trigger(event, flags)));
  withExamples(
    command,
    'loyalty-sim trigger syncBalances',
    'loyalty-sim trigger adjustPoints --contact-id 5a0e7c1e-0001-4000-8000-000000000001 --definition-id 1 --amount 25',
  );
};

const fields = triggerFields();

function placeholderOf(name: string, type: TriggerField['type']): string {
  if (type === 'number') return 'n';
  return /(?:Id|Name)$/.exec(name)?.[0].toLowerCase() ?? 'text';
}

type TriggerFlags = RemoteFlags & Readonly<Record<string, string | boolean | undefined>>;

const triggeredSchema = z.looseObject({
  event: z.string(),
  effects: effectsSchema,
  warnings: z.array(z.looseObject({ code: z.string(), message: z.string() })),
  balances: z.int().optional(),
});

/** Sends the event as it was typed: the simulator knows what each needs. */
async function trigger(event: string, flags: TriggerFlags): Promise<number> {
  const body = { event, ...Object.fromEntries(fields.map((field) => [field.name, valueOf(field, flags[field.name])])) };
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

function fieldLabel(name: string): string {
  if (name === 'event') return name;
  const flag = flagForField(name);
  const isFlag = fields.some((field) => field.name === name && field.type === 'flag');
  return isFlag ? `${flag} or ${flag.replace('--', '--no-')}` : flag;
}

const valueOf = ({ name, type }: TriggerField, sent: string | boolean | undefined): unknown =>
  type === 'number' && typeof sent === 'string' ? numberFrom(flagForField(name), sent) : sent;

function numberFrom(flag: string, sent: string): number {
  const number = sent.trim() === '' ? Number.NaN : Number(sent);
  if (Number.isFinite(number)) return number;
  throw new InputError(`${flag}: must be a number, not "${sent}"`);
}
