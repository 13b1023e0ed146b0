/** Implements `loyalty-sim point-master`: serves the fake point master as a program of its own. */
import { flagWithDefault, jsonFlag, personalDataFlag, repeatableFlag, withExamples } from '../flags/shared-flags.ts';
import type { DeclareCommand } from '../flags/shared-flags.ts';
import { userShell } from '../../config/config.ts';
import { monotonicNow } from '../../core/time/clock.ts';
import { explainListenError } from '../../http/transport/http-server.ts';
import { curlLine } from '../../core/lib/shell-words.ts';
import type { PointMaster } from '../../point-master/point-master.ts';
import { packageVersion } from '../../package/package-info.ts';
import { pointMasterFromFlags, parsePointMasterFlags } from '../flags/point-master-flags.ts';
import type { PointMasterFlags } from '../flags/point-master-flags.ts';
import { openLogFile, pointMasterLoggers } from '../process/point-master-log.ts';
import type { PointMasterLogEntry } from '../../point-master/event-log.ts';
import { flushLog, printLog, printNote, printResult, styled } from '../process/terminal.ts';
import { openReadyFile } from '../process/ready-file.ts';
import { stopSignal } from '../process/signals.ts';

export const declarePointMaster: DeclareCommand = (command, done) => {
  command
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
      'most that a signature may differ from real time; off for a virtual clock (default: 5m)',
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
      done(await servePointMaster(flags));
    });
  withExamples(
    command,
    'loyalty-sim point-master --key 0123456789abcdef0123456789abcdef',
    'loyalty-sim point-master --encryption plain --service-url http://127.0.0.1:4010 --sync-every 5s',
  );
};

/** Serves until a signal stops it. */
async function servePointMaster(typed: unknown): Promise<number> {
  const flags = parsePointMasterFlags(typed);
  const stopped = stopSignal();
  const summary = new PointMasterSummary();
  const ready = openReadyFile(flags.readyFile);
  const file = openLogFile(flags.logFile);
  const log = pointMasterLoggers[flags.log];
  const pointMaster = pointMasterFromFlags(flags, {
    onEvent: (entry) => {
      summary.count(entry);
      file.write(entry);
      log(entry);
    },
    onInternalError: (error) => printNote(`internal error: ${error instanceof Error ? error.stack : error}`),
  });
  try {
    const { url, port } = await listen(pointMaster, flags);
    const line = readyLine(url, port);
    ready.write(line);
    printResult(flags.json ? line : `loyalty-sim point-master ${packageVersion()} is ready at ${url}`);
    if (flags.log === 'pretty') for (const text of banner(flags, url)) printLog(text);
    await stopped;
  } finally {
    await pointMaster.close();
    await file.close();
    ready.remove();
  }
  flushLog();
  if (flags.log === 'pretty') printNote(styled('bold', summary.line()));
  if (flags.log === 'json') printNote(JSON.stringify(summary));
  return 0;
}

async function listen(pointMaster: PointMaster, { host, port }: PointMasterFlags): ReturnType<PointMaster['listen']> {
  try {
    return await pointMaster.listen({ port });
  } catch (error) {
    throw await explainListenError(error, { host, port });
  }
}

function readyLine(url: string, port: number): string {
  const adminUrl = `${url}/__master`;
  const ms = Math.round(monotonicNow());
  return JSON.stringify({ event: 'ready', url, adminUrl, port, pid: process.pid, version: packageVersion(), ms });
}

/** Returns the lines below "ready". */
function banner(
  { secret, encryption, timestampTolerance, serviceUrl, syncEvery }: PointMasterFlags,
  url: string,
): string[] {
  const decryption = encryption === 'plain' ? 'in plain text' : `encrypted with ${encryption}`;
  const signatures =
    secret === undefined ? 'signatures are not checked: start with --secret to check them' : 'signatures are checked';
  const age = secret !== undefined && timestampTolerance === 'off' ? ', however old they are' : '';
  const shell = userShell();
  const schedule = syncEvery === undefined ? 'on request' : `every ${syncEvery / 1000} s`;
  return [
    `${styled('bold', 'webhooks')}  POST ${url}, ${decryption}; ${signatures}${age}`,
    `${styled('bold', 'history')}   ${url}/fetchPointHistory?id=`,
    `${styled('bold', 'balances')}  ${serviceUrl === undefined ? 'stay here: start with --service-url to send them' : `to ${serviceUrl}, ${schedule}`}`,
    styled('bold', 'try'),
    `  ${curlLine([`${url}/ledger`], shell)}`,
    ...(serviceUrl === undefined ? [] : [`  ${curlLine(['-X', 'POST', `${url}/sync`], shell)}`]),
  ];
}

/** Counts what a point master did, for the summary at its end. */
class PointMasterSummary {
  readonly #counts = { applied: 0, repeated: 0, noted: 0, rejected: 0, sent: 0, failed: 0 };

  count(entry: PointMasterLogEntry): void {
    if (entry.event === 'rejected') this.#counts.rejected++;
    if (entry.event === 'sync') this.#counts[entry.outcome]++;
    if (entry.event === 'webhook') this.#counts[entry.outcome === 'contradicted' ? 'rejected' : entry.outcome]++;
  }

  toJSON(): object {
    return { event: 'summary', ...this.#counts };
  }

  line(): string {
    const { applied, repeated, noted, rejected, sent, failed } = this.#counts;
    const webhooks = `webhooks: ${applied} applied, ${repeated} repeated, ${noted} noted, ${rejected} rejected`;
    return `${webhooks}; syncs: ${sent} sent, ${failed} failed`;
  }
}
