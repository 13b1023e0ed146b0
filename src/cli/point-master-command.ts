/** Declares the command `point-master`. */
import type { Command } from 'commander';

export function declarePointMaster(program: Command, done: (exitCode: number) => void): void {
  program
    .command('point-master')
    .description(
      'a fake point master: takes the webhook of the service in point-follower mode, and sends balances back',
    )
    // The defaults of the options of start are not those of these.
    .configureHelp({ optionDescription: ({ description }) => description })
    .option('--port <port>', 'port to serve on; 0 takes any free one (default: 4020)')
    .option('--host <address>', 'address to listen on (default: 127.0.0.1)')
    .option(
      '--key <key>',
      'the 32 characters that payloads are encrypted with (repeatable; or LOYALTY_SIM_WEBHOOK_KEY)',
      collect,
    )
    .option(
      '--secret <secret>',
      'checks signatures with this: whsec_… (repeatable; or LOYALTY_SIM_WEBHOOK_SECRET)',
      collect,
    )
    .option('--encryption <profile>', 'aes-256-cbc, aes-256-gcm or plain (default: aes-256-cbc)')
    .option(
      '--timestamp-tolerance <duration>',
      'how far from real time a signature may be; off for a virtual clock (default: 5m)',
    )
    .option('--service-url <url>', 'where balances are sent to, as http://127.0.0.1:4010 (or LOYALTY_SIM_URL)')
    .option('--api-key <key>', 'key to send there (or LOYALTY_SIM_API_KEY)')
    .option('--tenant <name>', 'take the webhooks of this tenant alone')
    .option('--sync-every <duration>', 'send changed balances this often, as 10s; only when asked to unless given')
    .option('--opening <file>', 'JSON: a list of {contactId, definitionId, amount} to start with')
    .option(
      '--fault <fault>',
      'what goes wrong and how often, as error=503*2, slow=2s, down*1, lost-response*1 (repeatable)',
      collect,
    )
    .option('--admin-key <key>', 'key that calls beside the contract ask for')
    .option('--show-personal-data', 'do not hide names and texts of payloads in the log')
    .option('--log <form>', 'log on standard error: pretty, json or silent (default: pretty)')
    .option('--log-file <file>', 'add the log to this file, a line of JSON for each entry')
    .option('--json', 'print the ready line as JSON')
    .option('--ready-file <file>', 'file to write the ready line to, as JSON; removed at exit')
    .action(async (flags: unknown) =>
      done(await (await import('./commands/point-master.ts')).pointMasterCommand(flags)),
    );
}

const collect = (text: string, before: readonly string[] = []): string[] => [...before, text];
