import type { RuleSpec } from '../../src/faults/rule-schema.ts';
import type { SimOptions } from '../../src/simulator/create-sim.ts';
import { openClient } from './client.ts';
import type { Client } from './client.ts';

export const astrid = '5a0e7c1e-0001-4000-8000-000000000001';
export const johan = '5a0e7c1e-0001-4000-8000-000000000002';

/** A client of a sim at which these rules are in force. */
export const openWithRules = (rules: RuleSpec[], options: SimOptions = {}): Promise<Client> =>
  openClient({ scenario: { rules }, ...options });

/** The statuses that so many calls get: looking for a contact, unless it is another path. */
export async function statusesOf(
  { get }: Client,
  count: number,
  path = `/api/v3/contacts/${astrid}`,
): Promise<number[]> {
  const statuses: number[] = [];
  for (let i = 0; i < count; i++) statuses.push((await get(path)).status);
  return statuses;
}

/** Each rule's id, how many calls it matched, and how often it fired. */
export const countsOf = async ({ get }: Client, query = ''): Promise<(readonly [string, number, number])[]> =>
  (await get(`/__admin/faults${query}`)).body.rules.map(
    ({ id, matched, fired }: { id: string; matched: number; fired: number }) => [id, matched, fired] as const,
  );

/** Why rules did not befall the last request: `rule: reason`. */
export async function nearMissesOf({ get }: Client): Promise<string[]> {
  const { items } = (await get('/__admin/requests?last=1')).body;
  const { nearMisses } = (await get(`/__admin/requests/${items[0].id}`)).body;
  return nearMisses.map(({ rule, reason }: { rule: string; reason: string }) => `${rule}: ${reason}`);
}
