/** Formats the lines that are printed right after a start. */
import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { userShell } from '../../config/config.ts';
import { countRows, hasRow } from '../../core/state/state.ts';
import type { State } from '../../core/state/state.ts';
import type { Tenant } from '../../core/tenant/tenant.ts';
import { isLoopback } from '../../http/pipeline/host-guard.ts';
import { curlLine } from '../../core/lib/shell-words.ts';
import { contacts } from '../../service/contacts/schema.ts';
import { isInForceAnyway, readDuration } from '../../core/validation/option-definition.ts';
import type { OptionDefinition } from '../../core/validation/option-definition.ts';
import { fromResources } from '../../service/resources.ts';
import { tenantOptionNames, tenantOptions } from '../../service/settings/tenant-options.ts';
import type { TenantOptionName } from '../../service/settings/tenant-options.ts';
import { commonOptions } from '../../simulator/settings/sim-options.ts';
import type { Sim } from '../../simulator/sim.ts';
import { styled } from '../process/terminal.ts';
import type { ScenarioPlan } from '../flags/scenario-plan.ts';

const astrid = '5a0e7c1e-0001-4000-8000-000000000001';

/** Stands for the API key, which stays out of logs. */
const shownKey = '<key>';

interface RunningSim {
  readonly sim: Sim;
  readonly url: string;
}

/** Returns the lines below "ready". */
export function formatStartBanner(config: Config, plan: ScenarioPlan, { sim, url }: RunningSim): string[] {
  const { fixtures = tenantOptions.fixtures.default } = plan.effectiveSetup;
  const { state, seedState } = sim.tenants.default;
  return [
    `${styled('bold', 'fixtures')}  ${fixtures}: ${contents(seedState)}`,
    ...scenarioLine(plan.scenario, config.scenario),
    ...setLines(config, plan),
    ...(config.data === undefined ? [] : [dataLine(config.data, { state, seedState })]),
    ...(config.importFolder === undefined
      ? []
      : [
          `${styled('bold', 'files')}     put receipts as XML into ${join(config.importFolder, 'integration/transactionImport')}`,
        ]),
    ...[sim.sftpUrl, sim.ftpUrl].flatMap((served) =>
      served === undefined ? [] : [`${styled('bold', 'upload')}    ${served}`],
    ),
    `${styled('bold', 'key')}       ${config.apiKeys.length === 0 ? 'any key or none is accepted' : `send "apikey: ${shownKey}"; --api-key set it`}`,
    `${styled('bold', 'journal')}   at most ${megabytes(config.journalBytes)} a tenant, ${megabytes(config.totalJournalBytes)} in all, with the states before and after requests`,
    ...(sim.pointMaster?.url === undefined
      ? []
      : [`${styled('bold', 'master')}    ${sim.pointMaster.url}; loyalty-sim trigger syncBalances sends balances`]),
    ...docs(config, url),
    styled('bold', 'try'),
    ...examples(url, { hasKey: config.apiKeys.length > 0, state }).map((line) => `  ${line}`),
  ];
}

const megabytes = (bytes: number): string =>
  bytes < 1024 * 1024 ? `${bytes} bytes` : `${Math.round(bytes / 1024 / 1024)} MB`;

/** Returns a line with what was set to something else than its default, and one that names the config file. */
function setLines({ host }: Config, { effectiveSetup, configFile }: ScenarioPlan): string[] {
  const chosen = [
    ...tenantOptionNames.flatMap((name) => chosenWords(name, effectiveSetup[name])),
    ...(host === commonOptions.host.default ? [] : [`host ${host}`]),
  ];
  return [
    ...(chosen.length === 0 ? [] : [`${styled('bold', 'set')}       ${chosen.join(', ')}`]),
    ...(configFile === undefined ? [] : [`${styled('bold', 'config')}    ${configFile}`]),
  ];
}

/** Returns what was set in words; the line with the fixtures names these. */
function chosenWords(name: TenantOptionName, value: unknown): string[] {
  const option: OptionDefinition = tenantOptions[name];
  if (name === 'fixtures' || isInForceAnyway(option, value)) return [];
  if (name === 'now') return [`clock frozen at ${String(value)}`];
  if (typeof value === 'object') return Object.entries(value ?? {}).map((pair) => pair.join('='));
  const unit = option.read === readDuration && typeof value === 'number' ? ' ms' : '';
  return [`${name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)} ${String(value)}${unit}`];
}

/** Returns the addresses of dashboard and documentation, or a warning where the control API is off. */
function docs({ host, adminKey }: Config, url: string): string[] {
  if (adminKey !== undefined || isLoopback(host)) {
    return [`${styled('bold', 'dashboard')} ${url}/__admin/ui`, `${styled('bold', 'docs')}      ${url}/__admin/docs`];
  }
  const message = `the control API is off, because others can reach ${host}; start with --admin-key <key> to enable it`;
  return [styled('yellow', message)];
}

function contents(state: State): string {
  const counts = fromResources(({ banner }) => banner && Object.entries(banner))
    .map(([name, noun]) => [countRows(state, { name, scope: 'state' }), noun] as const)
    .filter(([count]) => count > 0)
    .map(([count, noun]) => `${count} ${noun}`);
  return counts.length > 0 ? counts.join(', ') : 'empty';
}

/** Returns where the state is kept, and what an earlier run has left there. */
function dataLine(file: string, { state, seedState }: Pick<Tenant, 'state' | 'seedState'>): string {
  const saved = state === seedState ? '' : `: ${contents(state)}; a reset goes back to the fixtures`;
  return `${styled('bold', 'data')}      kept in ${file}${saved}`;
}

function scenarioLine({ spec: { name, rules = [] } }: ScenarioPlan['scenario'], named: readonly string[]): string[] {
  if (named.length === 0) return [];
  const count = `${rules.length} ${rules.length === 1 ? 'rule' : 'rules'}`;
  return [`${styled('bold', 'scenario')}  ${name === undefined ? '' : `${name}: `}${count} of ${named.join(', ')}`];
}

function examples(url: string, { hasKey, state }: { readonly hasKey: boolean; readonly state: State }): string[] {
  const header = hasKey ? ['-H', `apikey: ${shownKey}`] : [];
  const api = `${url}/api/v3`;
  const shell = userShell();
  const curl = (path: string, ...more: readonly string[]) => curlLine([...header, ...more, `${api}/${path}`], shell);
  if (!hasRow(state, contacts, astrid)) return [curl('stores'), curl('contacts/count'), curl('consents')];
  const json = ['-H', 'content-type: application/json', '-d', '{"street":"Drottninggatan 1"}'];
  return [
    curl('contacts/id?email=astrid.lindqvist@example.com'),
    curl(`contacts/${astrid}/purchasehistorysummary`),
    curl(`contacts/${astrid}`, '-X', 'PATCH', ...json),
  ];
}
