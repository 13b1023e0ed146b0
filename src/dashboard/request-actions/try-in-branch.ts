/** Sends a request again in a branch that starts before it, with a fault. */
import { requestSim, requestTenant } from '../api/client.ts';
import { selectedTenant } from '../api/selected-tenant.ts';
import type { ExchangeJson, ExchangeLineJson } from '../api/api-types.ts';
import { branchBefore } from '../time-travel/branch.ts';
import type { Outcome } from './outcomes.ts';

interface BranchTrial {
  /** Names the branch. */
  readonly tenant: string;
  readonly outcomes: readonly Outcome[];
}

const hrefOf = (tenant: string, id: string): string =>
  `#${encodeURIComponent(tenant)}/requests/${encodeURIComponent(id)}`;

/** Returns how a request ended, how it ends with a fault, and what it does when it is then sent once more. */
export async function tryInBranch(exchange: ExchangeJson, rule: object): Promise<BranchTrial> {
  const { name: tenant } = await branchBefore(exchange.id);
  const query = { tenant };
  // The rules of the scenario would hit the request as well.
  await requestSim('DELETE', '/scenario', { query });
  await requestSim('POST', '/faults', { query, body: rule });
  const replay = (): Promise<ExchangeLineJson> =>
    requestTenant('POST', `/requests/${encodeURIComponent(exchange.id)}/replay`, { body: { tenant, within: '2s' } });
  const faulted = await replay();
  const again = await replay();
  const original = { ...exchange, effects: exchange.effects.length, assumptions: [] };
  return {
    tenant,
    outcomes: [
      { title: `As it was in ${selectedTenant()}`, line: original },
      { title: 'With this fault', line: faulted, href: hrefOf(tenant, faulted.id) },
      { title: 'Then sent once more', line: again, href: hrefOf(tenant, again.id) },
    ],
  };
}
