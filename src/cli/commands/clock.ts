/** `loyalty-sim clock`: shows and turns the clock of a running simulator. */
import * as z from 'zod';
import { InputError } from '../../core/lib/input-error.ts';
import { adminClient, flagForField } from '../remote/admin-client.ts';
import type { RemoteFlags } from '../remote/admin-client.ts';
import { formatExecutedJobs, executedJobsSchema } from '../format/effects.ts';
import { printResponse } from '../process/terminal.ts';

interface ClockFlags extends RemoteFlags {
  readonly freeze?: boolean;
  readonly resume?: boolean;
  readonly set?: string;
  readonly advance?: string;
}

const clockSchema = z.looseObject({
  now: z.string(),
  frozen: z.boolean(),
  executed: executedJobsSchema.optional(),
  warnings: z.array(z.looseObject({ code: z.string(), message: z.string() })).optional(),
});

export async function clockCommand(flags: ClockFlags): Promise<number> {
  const { freeze, resume, set, advance } = flags;
  const turns = Object.entries({ freeze, resume, set, advance }).filter(([, value]) => value !== undefined);
  if (turns.length > 1) {
    throw new InputError(`${turns.map(([name]) => `--${name}`).join(' and ')}: name one of them at a time`);
  }
  const call = adminClient(flags);
  const turned =
    turns.length === 0
      ? await call('/clock', { responseSchema: clockSchema })
      : await call('/clock', {
          method: 'POST',
          body: Object.fromEntries(turns),
          responseSchema: clockSchema,
          fieldLabel: flagForField,
        });
  const { now, frozen, executed = [], warnings = [] } = turned;
  const warned = warnings.map(({ code, message }) => `  ${code}: ${message}`);
  printResponse(flags, turned, [
    `${now}, ${frozen ? 'frozen' : 'running'}`,
    ...warned,
    ...formatExecutedJobs(executed),
  ]);
  return 0;
}
