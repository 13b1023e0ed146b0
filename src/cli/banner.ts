/** What a person wants to know right after a start. */
import type { Config } from '../config.ts';
import { countRows } from '../core/state.ts';
import type { State } from '../core/state.ts';
import { isLoopback } from '../http/guard.ts';
import type { Sim } from '../sim.ts';
import { styled } from './print.ts';

const astrid = '5a0e7c1e-0001-4000-8000-000000000001';

/** What is worth counting in a fixture, and what to call it. */
const counted: Readonly<Record<string, string>> = {
  contacts: 'contacts',
  consents: 'consents',
  stores: 'stores',
  receipts: 'receipts',
  promotions: 'promotions',
  challengeDefinitions: 'challenges',
  rewardVouchers: 'reward vouchers',
};

/** The lines below "ready". */
export function banner(config: Config, { tenants, master }: Sim, url: string): string[] {
  const [key] = config.apiKey;
  return [
    `${styled('bold', 'fixtures')}  ${config.fixtures}: ${contents(tenants.default.state)}`,
    ...(config.data === undefined ? [] : [`${styled('bold', 'data')}      kept in ${config.data}`]),
    `${styled('bold', 'key')}       ${key === undefined ? 'any key or none is let in' : `send "apikey: ${key}"`}`,
    ...(master?.url === undefined
      ? []
      : [`${styled('bold', 'master')}    ${master.url}, sends balances at loyalty-sim trigger syncBalances`]),
    `${styled('bold', 'docs')}      ${url}/__admin/docs`,
    ...warnings(config),
    styled('bold', 'try'),
    ...examples(config, url).map((line) => `  ${line}`),
  ];
}

/** What is probably not meant so. */
function warnings({ host, adminKey }: Config): string[] {
  if (adminKey !== undefined || isLoopback(host)) return [];
  const message = `the control API is off, since others can reach ${host}; start with --admin-key <key> to have it`;
  return [styled('yellow', message)];
}

function contents(state: State): string {
  const counts = Object.entries(counted)
    .map(([name, noun]) => [countRows(state, { name, scope: 'state' }), noun] as const)
    .filter(([count]) => count > 0)
    .map(([count, noun]) => `${count} ${noun}`);
  return counts.length > 0 ? counts.join(', ') : 'empty';
}

function examples({ apiKey: [key], fixtures }: Config, url: string): string[] {
  const header = key === undefined ? '' : ` -H 'apikey: ${key}'`;
  const api = `${url}/api/v3`;
  if (fixtures !== 'default') {
    return [
      `curl${header} '${api}/stores'`,
      `curl${header} '${api}/contacts/count'`,
      `curl${header} '${api}/consents'`,
    ];
  }
  const json = `-H 'content-type: application/json'`;
  return [
    `curl${header} '${api}/contacts/id?email=astrid.lindqvist@example.com'`,
    `curl${header} '${api}/contacts/${astrid}/purchasehistorysummary'`,
    `curl${header} -X PATCH '${api}/contacts/${astrid}' ${json} -d '{"street":"Drottninggatan 1"}'`,
  ];
}
