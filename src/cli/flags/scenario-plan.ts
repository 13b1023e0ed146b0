/** Merges the scenarios of `--scenario` into one, and ranks its set-up among flags, config file and environment. */
import { formatDiagnostic } from '../../core/validation/diagnostic.ts';
import { configPath } from '../../config/config.ts';
import type { Config, Flags } from '../../config/config.ts';
import type { Exchange } from '../../core/exchange/exchange.ts';
import { parsedDefault } from '../../core/validation/option-definition.ts';
import type { MergedScenario } from '../../scenario/merge.ts';
import { mergeSetups, setupOf } from '../../scenario/setup.ts';
import type { ScenarioSetup } from '../../scenario/setup.ts';
import { tenantOptionNames, tenantOptions } from '../../service/settings/tenant-options.ts';
import type { TenantOptionName } from '../../service/settings/tenant-options.ts';
import type { SimOptions } from '../../simulator/options.ts';
import { logFor } from '../process/request-log.ts';

type SetupConfig = Pick<Config, TenantOptionName>;

/** Holds the set-up of tenants: flags override the scenario, which overrides config file and environment. */
interface Layers {
  readonly flagged: ScenarioSetup;
  readonly defaults: ScenarioSetup;
}

export interface ScenarioPlan {
  readonly scenario: MergedScenario;
  /** Holds the options for `createSim`. */
  readonly options: Pick<SimOptions, TenantOptionName | 'scenario' | 'defaults'>;
  readonly effectiveSetup: ScenarioSetup;
  /** Names the config file that was read. */
  readonly configFile: string | undefined;
  /** Lists remarks for a person. */
  readonly notes: readonly string[];
}

/**
 * Reads the scenarios, unless one is given that was read already, and merges the set-up. Throws `InputError` that names
 * every mistake in the files.
 */
export async function planScenario(
  config: SetupConfig & Pick<Config, 'scenario'>,
  flags: Flags,
  given?: MergedScenario,
): Promise<ScenarioPlan> {
  const scenario = given ?? (await readScenarios(config.scenario));
  const layers = layersOf(config, flags);
  const { flagged, defaults } = layers;
  const scenarioSetup = setupOf(scenario.spec);
  return {
    scenario,
    // Without a scenario, what checks one isn't loaded.
    options: {
      ...unsetSetup,
      ...flagged,
      scenario: given === undefined && config.scenario.length === 0 ? undefined : scenario.spec,
      defaults,
    },
    effectiveSetup: mergeSetups<ScenarioSetup>(defaults, scenarioSetup, flagged),
    configFile: configPath(flags),
    notes: [...scenario.warnings.map(formatDiagnostic), ...describeConflicts(scenarioSetup, layers)],
  };
}

const unsetSetup: ScenarioSetup = Object.fromEntries(tenantOptionNames.map((name) => [name, undefined]));

/** Reads scenarios; the loader itself is only imported when one is named. */
async function readScenarios(named: readonly string[]): Promise<MergedScenario> {
  if (named.length === 0) return { files: [], spec: {}, warnings: [] };
  const { loadScenarios } = await import('../../scenario/load.ts');
  return loadScenarios(named);
}

function layersOf(config: SetupConfig, flags: Flags): Layers {
  const pick = (isWanted: (name: TenantOptionName) => boolean): ScenarioSetup =>
    Object.fromEntries(tenantOptionNames.filter(isWanted).map((name) => [name, config[name]]));
  const ids = new Set([flags['assume'] ?? []].flat().map((pair) => String(pair).split('=')[0]?.trim()));
  // Undefined without any: the schema would be built to check an empty record.
  const assume = (isWanted: (id: string) => boolean): ScenarioSetup['assumptions'] => {
    const wanted = Object.entries(config.assumptions).filter(([id]) => isWanted(id));
    return wanted.length === 0 ? undefined : Object.fromEntries(wanted);
  };
  return {
    flagged: { ...pick((name) => flags[name] !== undefined), assumptions: assume((id) => ids.has(id)) },
    defaults: { ...pick((name) => flags[name] === undefined), assumptions: assume((id) => !ids.has(id)) },
  };
}

/** Returns a line for each setting that options and the scenario set differently. */
function describeConflicts(scenarioSetup: ScenarioSetup, { flagged, defaults }: Layers): string[] {
  return tenantOptionNames.flatMap((name) => {
    const [fromScenario, fromFlag, fromDefaults] = [scenarioSetup[name], flagged[name], defaults[name]];
    if (name === 'assumptions' || fromScenario === undefined) return [];
    if (fromFlag !== undefined && fromFlag !== fromScenario)
      return [`${name}: ${String(fromFlag)} is used, not the scenario's ${String(fromScenario)}`];
    if (
      fromDefaults === undefined ||
      fromDefaults === fromScenario ||
      fromDefaults === parsedDefault(tenantOptions[name])
    )
      return [];
    return [
      `${name}: the scenario's ${String(fromScenario)} is used, not ${String(fromDefaults)} of config file or environment`,
    ];
  });
}

/** Returns the options of a sim that a configuration stands for; its plan has those of its tenants. */
export function simOptions(config: Config, onExchange: (exchange: Exchange, tenant: string) => void): SimOptions {
  const { log: form, scenario: _scenario, ...others } = config;
  const {
    json: _json,
    port: _port,
    readyFile: _readyFile,
    stopWithStdin: _stopWithStdin,
    watch: _watch,
    ...same
  } = others;
  const log = logFor(form);
  return {
    ...same,
    onInternalError: log.internalError,
    onWarning: log.warning,
    onPointMasterEvent: (entry) => log.pointMaster(entry),
    onRequest: (tenant, exchange) => {
      onExchange(exchange, tenant.name);
      // It was logged when it completed; this is a job of it.
      if (exchange.deferredEffects.length === 0) log.request(tenant.name, exchange);
    },
  };
}
