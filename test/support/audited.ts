/** Plays a point master under test in short steps, and shows what the report says of it. */
import type { Answered, Client } from './client.ts';
import { adjust, advance, listed, openFollowerSim } from './follower.ts';
import { openReceiver } from './receiver.ts';
import { astrid } from './people.ts';

export const reportOf = async ({ get }: Client) => (await get('/__admin/webhooks/report')).body;

export const kindsIn = async (client: Client): Promise<string[]> =>
  (await reportOf(client)).findings.map(({ kind }: { kind: string }) => kind);

/** Returns the verdict, followed by the findings, each with its level. */
export async function summaryOf(client: Client): Promise<string[]> {
  const { verdict, findings } = await reportOf(client);
  return [verdict, ...findings.map(({ kind, level }: Record<string, string>) => `${kind}: ${level}`)];
}

/** Sends the balance of Astrid's account, as a master does. */
export const sync = ({ post }: Client, amount: number, fields: object = {}): Promise<Answered> =>
  post('/api/v3/point-accounts/balances', [{ contactId: astrid, definitionId: 1, amount, ...fields }]);

/** Adjusts by each amount, one after the other, and waits until the master has responded. */
export async function send(client: Client, ...amounts: number[]): Promise<void> {
  const before = (await listed(client, '?limit=1')).sent;
  for (const [i, amount] of amounts.entries()) {
    await adjust(client, { amount });
    await listed(client, `?wait=60s&atLeast=${before + i + 1}`);
  }
}

/** Opens a service that shows 100 points, which the master agrees with. */
export async function openFollowed(script?: Parameters<typeof openReceiver>[0]): Promise<Client> {
  const client = await openFollowerSim(await openReceiver(script));
  await sync(client, 100);
  return client;
}

/** Plays steps: `+25` and `-25` adjust, `=125` sends a balance, `=125@3` one with a time stamp, `5s` moves the clock. */
export async function play(client: Client, steps: string): Promise<Client> {
  for (const step of steps.split(' ')) {
    const [balance, second] = step.slice(1).split('@');
    if (/^[+-]/.test(step)) await send(client, Number(step));
    else if (!step.startsWith('=')) await advance(client, step);
    else await sync(client, Number(balance), second === undefined ? {} : { timeStamp: `2026-03-01T10:00:0${second}Z` });
  }
  return client;
}
