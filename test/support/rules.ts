import type { Client } from './client.ts';
import { astrid } from './people.ts';

/** Returns the statuses that so many requests get: looking for a contact, unless it is another path. */
export async function statusesOf(
  { get }: Client,
  count: number,
  path = `/api/v3/contacts/${astrid}`,
): Promise<number[]> {
  const statuses: number[] = [];
  for (let i = 0; i < count; i++) statuses.push((await get(path)).status);
  return statuses;
}

/** Returns each rule's id, how many requests it matched, and how often it fired. */
export const countsOf = async ({ get }: Client, query = ''): Promise<(readonly [string, number, number])[]> =>
  (await get(`/__admin/faults${query}`)).body.rules.map(
    ({ id, matched, fired }: { id: string; matched: number; fired: number }) => [id, matched, fired] as const,
  );

/** Returns why rules did not hit the last request: `rule: reason`. */
export async function nearMissesOf({ get }: Client): Promise<string[]> {
  const { items } = (await get('/__admin/requests?last=1')).body;
  const { nearMisses } = (await get(`/__admin/requests/${items[0].id}`)).body;
  return nearMisses.map(({ rule, reason }: { rule: string; reason: string }) => `${rule}: ${reason}`);
}
