import * as z from '../../core/validation/deferred-zod.ts';
import { InputError } from '../../core/lib/input-error.ts';
import { adminClient, flagForField } from '../remote/admin-client.ts';
import type { RemoteFlags } from '../remote/admin-client.ts';
import { formatExecutedJobs, executedJobsSchema } from '../format/effects.ts';
import { printResponse } from '../process/terminal.ts';
import { withDataFlags } from '../flags/remote-flags.ts';
import { withExamples } from '../flags/shared-flags.ts';
import type { DeclareCommand } from '../flags/shared-flags.ts';

export const declareClock: DeclareCommand = (command, done) => {
  withDataFlags(command)
    .option('--freeze', 'stop time')
    .option('--resume', 'let time continue from where it stands')
    .option('--set <timestamp>', 'set the clock; jobs that fall due until then are executed, going back undoes nothing')
    .option('--advance <duration>', 'let this much time pass, such as 30d, 2h or P1M; jobs that fall due are executed')
    .action(async (flags: ClockFlags) => done(await changeClock(flags)));
  withExamples(
    command,
    'loyalty-sim clock',
    'loyalty-sim clock --advance 30d',
    'loyalty-sim clock --set 2026-12-24T08:00:00Z --tenant suite-1',
  );
};

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

async function changeClock(flags: ClockFlags): Promise<number> {
  const { freeze, resume, set, advance } = flags;
  const changes = Object.entries({ freeze, resume, set, advance }).filter(([, value]) => value !== undefined);
  if (changes.length > 1) {
    throw new InputError(`${changes.map(([name]) => `--${name}`).join(' and ')}: name one of them at a time`);
  }
  const call = adminClient(flags);
  const response =
    changes.length === 0
      ? await call('/clock', { responseSchema: clockSchema })
      : await call('/clock', {
          method: 'POST',
          body: Object.fromEntries(changes),
          responseSchema: clockSchema,
          fieldLabel: flagForField,
        });
  const { now, frozen, executed = [], warnings = [] } = response;
  const warned = warnings.map(({ code, message }) => `  ${code}: ${message}`);
  printResponse(flags, response, [
    `${now}, ${frozen ? 'frozen' : 'running'}`,
    ...warned,
    ...formatExecutedJobs(executed),
  ]);
  return 0;
}
