/** What a start makes of `--scenario`: the scenarios named as one, and which set-up it leaves to the options. */
import { formatDiagnostic } from '../../core/validation/diagnostic.ts';
import type { Config, Flags } from '../../config/config.ts';
import type { Exchange } from '../../core/exchange/exchange.ts';
import type { OptionDefinition } from '../../core/validation/option-definition.ts';
import type { MergedScenario } from '../../scenario/merge.ts';
import { mergeSetups, setupOf } from '../../scenario/setup.ts';
import type { ScenarioSetup } from '../../scenario/setup.ts';
import { tenantOptionNames, tenantOptions } from '../../service/settings/tenant-options.ts';
import type { TenantOptionName } from '../../service/settings/tenant-options.ts';
import type { SimOptions } from '../../simulator/options.ts';
import { logFor } from '../process/request-log.ts';

type SetupConfig = Pick<Config, TenantOptionName>;

/** How tenants are set up: flags stand above the scenario, config file and environment below it. */
interface Layers {
  readonly flagged: ScenarioSetup;
  readonly defaults: ScenarioSetup;
}

export interface ScenarioPlan {
  readonly scenario: MergedScenario;
  /** For `createSim`. */
  readonly options: Pick<SimOptions, TenantOptionName | 'scenario' | 'defaults'>;
  readonly effectiveSetup: ScenarioSetup;
  /** What a person should know of it. */
  readonly notes: readonly string[];
}

/** Throws `InputError` that names every mistake in the scenario's files. */
export async function planScenario(
  config: SetupConfig & Pick<Config, 'scenario'>,
  flags: Flags,
): Promise<ScenarioPlan> {
  const scenario = await readScenarios(config.scenario);
  const layers = layersOf(config, flags);
  const { flagged, defaults } = layers;
  const said = setupOf(scenario.written);
  return {
    scenario,
    options: { ...unsetSetup, ...flagged, scenario: scenario.written, defaults },
    effectiveSetup: mergeSetups<ScenarioSetup>(defaults, said, flagged),
    notes: [...scenario.warnings.map(formatDiagnostic), ...overruled(said, layers)],
  };
}

const unsetSetup: ScenarioSetup = Object.fromEntries(tenantOptionNames.map((name) => [name, undefined]));

/** Nothing is loaded when no scenario is named. */
async function readScenarios(named: readonly string[]): Promise<MergedScenario> {
  if (named.length === 0) return { files: [], written: {}, warnings: [] };
  const { loadScenarios } = await import('../../scenario/load.ts');
  return loadScenarios(named);
}

function layersOf(config: SetupConfig, flags: Flags): Layers {
  const pick = (isWanted: (name: TenantOptionName) => boolean): ScenarioSetup =>
    Object.fromEntries(tenantOptionNames.filter(isWanted).map((name) => [name, config[name]]));
  const ids = new Set([flags['assume'] ?? []].flat().map((pair) => String(pair).split('=')[0]?.trim()));
  const assumed = Object.entries(config.assumptions);
  return {
    flagged: {
      ...pick((name) => flags[name] !== undefined),
      assumptions: Object.fromEntries(assumed.filter(([id]) => ids.has(id))),
    },
    defaults: {
      ...pick((name) => flags[name] === undefined),
      assumptions: Object.fromEntries(assumed.filter(([id]) => !ids.has(id))),
    },
  };
}

/** Where options and the scenario say different things, and which is in force. */
function overruled(said: ScenarioSetup, { flagged, defaults }: Layers): string[] {
  return tenantOptionNames.flatMap((name) => {
    const [asked, flag, below] = [said[name], flagged[name], defaults[name]];
    if (name === 'assumptions' || asked === undefined) return [];
    if (flag !== undefined && flag !== asked)
      return [`${name}: ${shown(flag)} is used, not the scenario's ${shown(asked)}`];
    if (below === undefined || below === asked || below === standardValue(name)) return [];
    return [`${name}: the scenario's ${shown(asked)} is used, not ${shown(below)} of config file or environment`];
  });
}

const shown = (value: unknown): string => String(value);

function standardValue(name: TenantOptionName): unknown {
  const option: OptionDefinition = tenantOptions[name];
  return option.default === undefined ? undefined : option.schema.parse(option.default);
}

/** Returns the options of a sim that a configuration stands for; its plan has those of its tenants. */
export function simOptions(config: Config, onExchange: (exchange: Exchange) => void): SimOptions {
  const { log: form, queueDelay: _queueDelay, scenario: _scenario, ...others } = config;
  const { json: _json, port: _port, readyFile: _readyFile, watch: _watch, ...same } = others;
  const log = logFor(form);
  return {
    ...same,
    onInternalError: log.internalError,
    onWarning: log.warning,
    onPointMasterEvent: (entry) => log.pointMaster(entry),
    onRequest: (tenant, exchange) => {
      onExchange(exchange);
      // It was logged when it was answered; this is a job of it.
      if (exchange.deferredEffects.length === 0) log.request(tenant.name, exchange);
    },
  };
}
