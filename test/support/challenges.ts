/** Makes a shop with challenges of every rule and status, and short ways to ask about them. */
import type { Answered, Client } from './client.ts';
import { bo } from './people.ts';

export const challenge = (n: number): string => `9b1d0c00-eeee-4000-8000-00000000000${n}`;

const definition = (n: number): string => `9b1d0c00-cccc-4000-8000-00000000000${n}`;

export const definitions = {
  visits: definition(1),
  socks: definition(2),
  coats: definition(3),
  reviews: definition(4),
  scheduled: definition(5),
  ended: definition(6),
  draft: definition(7),
};

export const assign = ({ post }: Client, definitionId: string, contactId = bo): Promise<Answered> =>
  post(`/api/v3/challenges/definitions/${definitionId}/assign?contactId=${contactId}`);

export const award = ({ post }: Client, ...blocks: readonly unknown[]): Promise<Answered> =>
  post('/api/v3/challenges/checkpoints', blocks);

export const block = (definitionId: unknown, checkpointAmount: unknown = 1, contactId: unknown = bo): object => ({
  definitionId,
  contactId,
  checkpointAmount,
});

export const listOf = async ({ get }: Client, contactId = bo, query = '') =>
  (await get(`/api/v3/challenges?contactId=${contactId}${query}`)).body;

/** Returns how far a contact is with a definition. */
export async function progressOf(client: Client, definitionId: string, contactId = bo): Promise<number | undefined> {
  const { items } = await listOf(client, contactId, `&definitionId=${definitionId}`);
  return items[0]?.completedCheckpoints;
}
