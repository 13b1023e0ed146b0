/** Implements `loyalty-sim point-master`: serves the fake point master as a program of its own. */
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

/** Serves until a signal stops it. */
export async function servePointMaster(typed: unknown): Promise<number> {
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
