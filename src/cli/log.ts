import { toTimestamp } from '../core/clock.ts';
import type { Exchange } from '../core/journal.ts';
import type { Warning } from '../core/warning.ts';
import type { Config } from '../config.ts';
import { jsonEntry, prettyEntry } from '../master/log.ts';
import type { LogEntry } from '../master/log.ts';
import { printLog, styled } from './print.ts';
import { redact } from './redact.ts';
import { toldWords } from './told-words.ts';

/** Writes down what a simulator is called for, and what went wrong with it. */
interface Log {
  readonly call: (tenant: string, exchange: Exchange) => void;
  readonly fault: (error: unknown) => void;
  readonly note: (note: string) => void;
  /** What the point master beside it does. */
  readonly master: (entry: LogEntry) => void;
}

const pathOf = ({ path, query }: Exchange): string => redact(query === '' ? path : `${path}?${query}`);

const warningsOf = ({ outcome }: Exchange): Warning[] =>
  outcome.warnings.map(({ code, message }) => ({ code, message: redact(message) }));

const took = ({ startedAt, finishedAt = startedAt }: Exchange): number =>
  Math.round((finishedAt - startedAt) * 10) / 10;

function writePretty(tenant: string, exchange: Exchange): void {
  const { status, answer, delivered, fault } = exchange;
  const told = toldWords({ status, answered: answer?.status, end: delivered?.end });
  const colour = (status ?? 500) < 300 ? 'green' : (status ?? 500) < 500 ? 'yellow' : 'red';
  const line = [
    styled('dim', toTimestamp(exchange.at)),
    tenant,
    exchange.method,
    pathOf(exchange),
    styled(colour, told),
    ...(fault ? [styled('yellow', `rule ${fault.rule}`)] : []),
    styled('dim', `${took(exchange)} ms`),
  ].join(' ');
  printLog([line, ...warningsOf(exchange).map(warningLine)].join('\n'));
}

const warningLine = ({ code, message }: Warning): string => styled('yellow', `  ${code}: ${message}`);

function writeJson(tenant: string, exchange: Exchange): void {
  const { id, at, method, endpoint, status, answer, delivered, fault } = exchange;
  const warnings = warningsOf(exchange);
  printLog(
    JSON.stringify({
      event: 'call',
      at: toTimestamp(at),
      tenant,
      id,
      method,
      path: pathOf(exchange),
      endpoint,
      status,
      ...(fault && { fault: fault.rule, phase: fault.fault.phase, answered: answer?.status, end: delivered?.end }),
      ms: took(exchange),
      ...(warnings.length > 0 && { warnings }),
    }),
  );
}

const stackOf = (error: unknown): string =>
  redact(error instanceof Error ? (error.stack ?? error.message) : String(error));

const logs: Readonly<Record<Config['log'], Log>> = {
  pretty: {
    call: writePretty,
    fault: (error) => printLog(styled('red', `loyalty-sim failed at a call: ${stackOf(error)}`)),
    note: (note) => printLog(styled('yellow', note)),
    master: (entry) => printLog(`${styled('cyan', 'master')} ${prettyEntry(entry)}`),
  },
  json: {
    call: writeJson,
    fault: (error) => printLog(JSON.stringify({ event: 'fault', stack: stackOf(error) })),
    note: (note) => printLog(JSON.stringify({ event: 'note', note })),
    master: (entry) => printLog(JSON.stringify({ event: 'master', entry: jsonEntry(entry) })),
  },
  silent: { call: () => {}, fault: () => {}, note: () => {}, master: () => {} },
};

/** The log in the form that was asked for. */
export const logAs = (form: Config['log']): Log => logs[form];
