/** Opens a service that follows a point master, and short ways to adjust points and see what was sent. */
import type { SimOptions } from '../../src/simulator/options.ts';
import type { Answered, Client } from './client.ts';
import { closeReceivers, webhookKey } from './receiver.ts';
import type { Receiver } from './receiver.ts';
import { astrid } from './people.ts';
import { openSim } from './open-sim.ts';

const open = new Set<Client>();

export async function openFollowerSim(to?: Pick<Receiver, 'url'>, options: SimOptions = {}): Promise<Client> {
  const webhook = to && { webhookUrl: to.url, webhookKey };
  const client = await openSim({ mode: 'point-follower', ...webhook, ...options });
  open.add(client);
  return client;
}

/** Closes all followers; is to be called after each test. */
export async function tidyFollowers(): Promise<void> {
  for (const { sim } of open) await sim.close();
  open.clear();
  await closeReceivers();
}

export const adjust = ({ post }: Client, fields: object = {}): Promise<Answered> =>
  post('/__admin/trigger', { event: 'adjustPoints', contactId: astrid, definitionId: 1, amount: 25, ...fields });

export const advance = ({ post }: Client, by: string): Promise<Answered> => post('/__admin/clock', { advance: by });

export const listed = async ({ get }: Client, query = '') => (await get(`/__admin/webhooks${query}`)).body;

export const statusesOf = async (client: Client): Promise<string[]> =>
  (await listed(client)).items.map(({ status }: { status: string }) => status);
