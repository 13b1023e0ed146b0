/** `loyalty-sim master`: the fake point master, a program of its own. */
import { monotonic } from '../core/clock.ts';
import { explainListen } from '../http/listen.ts';
import type { Master } from '../master/master.ts';
import { version } from '../package.ts';
import { masterFrom, readMasterFlags } from './master-flags.ts';
import type { MasterFlags } from './master-flags.ts';
import { logFile, masterLog } from './master-log.ts';
import { MasterSummary } from './master-summary.ts';
import { flushLog, printLog, printNote, printResult, styled } from './print.ts';
import { readyFile } from './ready-file.ts';
import { signalled } from './signals.ts';

/** Serves until it is told to stop. */
export async function master(typed: unknown): Promise<number> {
  const flags = readMasterFlags(typed);
  const stopped = signalled();
  const summary = new MasterSummary();
  const ready = readyFile(flags.readyFile);
  const file = logFile(flags.logFile);
  const log = masterLog[flags.log];
  const made = masterFrom(flags, {
    onEntry: (entry) => {
      summary.count(entry);
      file.write(entry);
      log(entry);
    },
    onFault: (error) => printNote(`loyalty-sim failed at a call: ${error instanceof Error ? error.stack : error}`),
  });
  try {
    const { url, port } = await listen(made, flags);
    const line = readyLine(url, port);
    ready.write(line);
    printResult(flags.json ? line : `loyalty-sim master ${version()} is ready at ${url}`);
    if (flags.log === 'pretty') for (const text of banner(flags, url)) printLog(text);
    await stopped;
  } finally {
    await made.close();
    await file.close();
    ready.remove();
  }
  flushLog();
  if (flags.log === 'pretty') printNote(styled('bold', summary.line()));
  if (flags.log === 'json') printNote(JSON.stringify(summary));
  return 0;
}

async function listen(made: Master, { host, port }: MasterFlags): ReturnType<Master['listen']> {
  try {
    return await made.listen({ port });
  } catch (error) {
    throw await explainListen(error, { host, port });
  }
}

function readyLine(url: string, port: number): string {
  const adminUrl = `${url}/__master`;
  const ms = Math.round(monotonic());
  return JSON.stringify({ event: 'ready', url, adminUrl, port, pid: process.pid, version: version(), ms });
}

/** The lines below "ready". */
function banner({ secret, encryption, timestampTolerance, serviceUrl, syncEvery }: MasterFlags, url: string): string[] {
  const reading = encryption === 'plain' ? 'in plain text' : `encrypted with ${encryption}`;
  const checking =
    secret === undefined ? 'signatures are not checked: start with --secret to have that' : 'signatures are checked';
  const age = secret !== undefined && timestampTolerance === 'off' ? ', however old they are' : '';
  const schedule = syncEvery === undefined ? 'when asked to' : `every ${syncEvery / 1000} s`;
  return [
    `${styled('bold', 'webhooks')}  POST ${url}, ${reading}; ${checking}${age}`,
    `${styled('bold', 'history')}   ${url}/fetchPointHistory?id=`,
    `${styled('bold', 'balances')}  ${serviceUrl === undefined ? 'stay here: start with --service-url to send them' : `to ${serviceUrl}, ${schedule}`}`,
    styled('bold', 'try'),
    `  curl ${url}/ledger`,
    ...(serviceUrl === undefined ? [] : [`  curl -X POST ${url}/sync`]),
  ];
}
