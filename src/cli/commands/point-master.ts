import { flagWithDefault, jsonFlag, personalDataFlag, repeatableFlag, withExamples } from '../flags/shared-flags.ts';
import type { DeclareCommand } from '../flags/shared-flags.ts';

export const declarePointMaster: DeclareCommand = (program, done) => {
  const command = program
    .command('point-master')
    .description('serve a fake point master: takes the webhook of point-follower mode, and sends balances back')
    .addOption(flagWithDefault('--port <port>', 'port to serve on; 0 takes any free one', '4020'))
    .addOption(flagWithDefault('--host <address>', 'address to listen on', '127.0.0.1'))
    .option('--admin-key <key>', 'key that requests outside the contract of the service must carry')
    .optionsGroup('Webhook:')
    .addOption(repeatableFlag('--key <key>', '32 characters that decrypt payloads (default: LOYALTY_SIM_WEBHOOK_KEY)'))
    .addOption(
      repeatableFlag(
        '--secret <secret>',
        'whsec_… that signatures are checked with (default: LOYALTY_SIM_WEBHOOK_SECRET)',
      ),
    )
    .addOption(flagWithDefault('--encryption <profile>', 'aes-256-cbc, aes-256-gcm or plain', 'aes-256-cbc'))
    .option(
      '--timestamp-tolerance <duration>',
      'how far from real time a signature may be; off for a virtual clock (default: 5m)',
    )
    .option('--tenant <name>', 'tenant whose webhooks are taken (default: all)')
    .optionsGroup('Balances:')
    .option(
      '--service-url <url>',
      'address to send balances to, such as http://127.0.0.1:4010 (default: LOYALTY_SIM_URL)',
    )
    .option('--api-key <key>', 'key to send to the service (default: LOYALTY_SIM_API_KEY)')
    .option('--sync-every <duration>', 'interval of sending changed balances, such as 10s (default: only on request)')
    .option('--opening <file>', 'JSON file with a list of {contactId, definitionId, amount} to start with')
    .option('--data <file>', 'file that keeps the ledger, so that the next start goes on there')
    .optionsGroup('Options:')
    .addOption(
      repeatableFlag(
        '--fault <fault>',
        'fault to inject, and how often: error=503*2, slow=2s, down*1, lost-response*1',
      ),
    )
    .addOption(personalDataFlag('show names and texts of payloads in the log'))
    .addOption(flagWithDefault('--log <form>', 'log on standard error: pretty, json or silent', 'pretty'))
    .option('--log-file <file>', 'file to append the log to, a line of JSON for each entry')
    .addOption(jsonFlag('print the ready line as JSON'))
    .option('--ready-file <file>', 'file to write the ready line to, as JSON; removed at exit')
    .action(async (flags: unknown) => {
      const { servePointMaster } = await import('../actions/point-master.ts');
      done(await servePointMaster(flags));
    });
  withExamples(
    command,
    'loyalty-sim point-master --key 0123456789abcdef0123456789abcdef',
    'loyalty-sim point-master --encryption plain --service-url http://127.0.0.1:4010 --sync-every 5s',
  );
};
