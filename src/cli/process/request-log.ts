import { toTimestamp } from '../../core/time/clock.ts';
import type { Exchange } from '../../core/exchange/exchange.ts';
import type { Warning } from '../../core/lib/suggest.ts';
import type { Config } from '../../config/config.ts';
import { serializeEntry, formatEntry } from '../../point-master/event-log.ts';
import type { PointMasterLogEntry } from '../../point-master/event-log.ts';
import { printLog, styled } from './terminal.ts';
import { redact } from '../../core/exchange/redact.ts';
import { formatRejection, rejectionOf } from '../format/rejection.ts';
import { formatResponseStatus } from '../../format/response-status.ts';

/** Logs requests, warnings and internal errors of a simulator. */
interface RequestLogger {
  readonly request: (tenant: string, exchange: Exchange) => void;
  readonly internalError: (error: unknown) => void;
  readonly warning: (note: string) => void;
  /** Logs what its point master does. */
  readonly pointMaster: (entry: PointMasterLogEntry) => void;
}

const pathOf = ({ path, query }: Exchange): string => redact(query === '' ? path : `${path}?${query}`);

const warningsOf = ({ sideEffects }: Exchange): Warning[] =>
  sideEffects.warnings.map(({ code, message }) => ({ code, message: redact(message) }));

const durationOf = ({ startedAt, finishedAt = startedAt }: Exchange): number =>
  Math.round((finishedAt - startedAt) * 10) / 10;

function writePretty(tenant: string, exchange: Exchange): void {
  const { status, response, delivered, fault } = exchange;
  const result = formatResponseStatus({ status, responseStatus: response?.status, end: delivered?.end });
  const colour = (status ?? 500) < 300 ? 'green' : (status ?? 500) < 500 ? 'yellow' : 'red';
  const rejection = rejectionOf(exchange);
  const line = [
    styled('dim', toTimestamp(exchange.at)),
    tenant,
    exchange.method,
    pathOf(exchange),
    styled(colour, rejection ? `${result} ${formatRejection(rejection)}` : result),
    ...(fault ? [styled('yellow', `rule ${fault.rule}`)] : []),
    styled('dim', `${durationOf(exchange)} ms`),
  ].join(' ');
  for (const shown of [line, ...warningsOf(exchange).map(warningLine)]) printLog(shown);
}

const warningLine = ({ code, message }: Warning): string => styled('yellow', `  ${code}: ${message}`);

function writeJson(tenant: string, exchange: Exchange): void {
  const { id, at, method, endpoint, status, response, delivered, fault } = exchange;
  const warnings = warningsOf(exchange);
  const { errorCode, field } = rejectionOf(exchange) ?? {};
  printLog(
    JSON.stringify({
      event: 'request',
      at: toTimestamp(at),
      tenant,
      id,
      method,
      path: pathOf(exchange),
      endpoint,
      status,
      ...(errorCode !== undefined && { errorCode }),
      ...(field !== undefined && { field }),
      ...(fault && {
        fault: fault.rule,
        phase: fault.fault.phase,
        responseStatus: response?.status,
        end: delivered?.end,
      }),
      ms: durationOf(exchange),
      ...(warnings.length > 0 && { warnings }),
    }),
  );
}

const stackOf = (error: unknown): string =>
  redact(error instanceof Error ? (error.stack ?? error.message) : String(error));

const logs: Readonly<Record<Config['log'], RequestLogger>> = {
  pretty: {
    request: writePretty,
    internalError: (error) => {
      for (const line of `internal error: ${stackOf(error)}`.split('\n')) printLog(styled('red', line));
    },
    warning: (note) => printLog(styled('yellow', note)),
    pointMaster: (entry) => printLog(`${styled('cyan', 'point-master')} ${formatEntry(entry)}`),
  },
  json: {
    request: writeJson,
    internalError: (error) => printLog(JSON.stringify({ event: 'internal_error', stack: stackOf(error) })),
    warning: (note) => printLog(JSON.stringify({ event: 'warning', message: note })),
    pointMaster: (entry) => printLog(JSON.stringify({ event: 'point-master', entry: serializeEntry(entry) })),
  },
  silent: { request: () => {}, internalError: () => {}, warning: () => {}, pointMaster: () => {} },
};

/** Returns the log in this form. */
export const logFor = (form: Config['log']): RequestLogger => logs[form];
