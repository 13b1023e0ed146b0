import type { Config } from '../../config/config.ts';
import type { Exchange } from '../../core/exchange/exchange.ts';
import type { SimOptions } from '../../simulator/create-sim.ts';
import { logFor } from '../process/request-log.ts';

/** What a command's options mean for a sim; how tenants are set up comes with the plan. `onCall` is told of each call. */
export function simOptions(config: Config, onCall: (exchange: Exchange) => void): SimOptions {
  const { log: form, queueDelay: _queueDelay, scenario: _scenario, ...others } = config;
  const { json: _json, port: _port, readyFile: _readyFile, watch: _watch, ...same } = others;
  const log = logFor(form);
  return {
    ...same,
    onInternalError: log.internalError,
    onWarning: log.warning,
    onPointMasterEvent: (entry) => log.pointMaster(entry),
    onRequest: (tenant, exchange) => {
      onCall(exchange);
      // It was logged when it was answered; this is a job of it.
      if (exchange.deferredEffects.length === 0) log.request(tenant.name, exchange);
    },
  };
}
