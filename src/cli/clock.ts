/** `loyalty-sim clock`: shows and turns the clock of a running simulator. */
import * as z from 'zod';
import { InputError } from '../core/errors.ts';
import { adminClient, flagOf } from './admin-client.ts';
import type { SimFlags } from './admin-client.ts';
import { happeningLines, happeningsSchema } from './effects.ts';
import { printAnswer } from './print.ts';

interface ClockFlags extends SimFlags {
  readonly freeze?: boolean;
  readonly resume?: boolean;
  readonly set?: string;
  readonly advance?: string;
}

const clockSchema = z.looseObject({
  now: z.string(),
  frozen: z.boolean(),
  happened: happeningsSchema.optional(),
  warnings: z.array(z.looseObject({ code: z.string(), message: z.string() })).optional(),
});

export async function clock(flags: ClockFlags): Promise<number> {
  const { freeze, resume, set, advance } = flags;
  const turns = Object.entries({ freeze, resume, set, advance }).filter(([, value]) => value !== undefined);
  if (turns.length > 1) {
    throw new InputError(`${turns.map(([name]) => `--${name}`).join(' and ')}: name one of them at a time`);
  }
  const call = adminClient(flags);
  const turned =
    turns.length === 0
      ? await call('/clock', { answer: clockSchema })
      : await call('/clock', { method: 'POST', body: Object.fromEntries(turns), answer: clockSchema, spoken: flagOf });
  const { now, frozen, happened = [], warnings = [] } = turned;
  const warned = warnings.map(({ code, message }) => `  ${code}: ${message}`);
  printAnswer(flags, turned, [`${now}, ${frozen ? 'frozen' : 'running'}`, ...warned, ...happeningLines(happened)]);
  return 0;
}
