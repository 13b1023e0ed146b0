import type { Config } from '../config.ts';
import type { Exchange } from '../core/journal.ts';
import type { SimOptions } from '../sim.ts';
import { logAs } from './log.ts';

/** What a command's options mean for a sim; how tenants are set up comes with the plan. `onCall` is told of each call. */
export function simOptions(config: Config, onCall: (exchange: Exchange) => void): SimOptions {
  const { apiKey, log: form, queueDelay: _queueDelay, scenario: _scenario, ...others } = config;
  const { json: _json, port: _port, readyFile: _readyFile, watch: _watch, ...same } = others;
  const log = logAs(form);
  return {
    ...same,
    apiKeys: apiKey,
    onFault: log.fault,
    onNote: log.note,
    onMasterEntry: (entry) => log.master(entry),
    onExchange: (tenant, exchange) => {
      onCall(exchange);
      // It was logged when it was answered; this is a job of it.
      if (exchange.later.length === 0) log.call(tenant.name, exchange);
    },
  };
}
