/** Point masters and other receivers of webhooks, right and wrong, with what exploring is expected to say of each. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ExploredFunction } from '../../../src/simulator/sim-explore.ts';
import type { SimOptions } from '../../../src/simulator/options.ts';
import type { SimTenant } from '../../../src/simulator/tenant-handle.ts';
import { astrid } from '../../support/people.ts';

/** A webhook as it came, its payload in the clear. */
interface Webhook {
  readonly id: string;
  readonly eventType: string;
  readonly tenant: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** Somebody who listens for all tenants, and hands each webhook to the client of its run. */
export interface Switchboard {
  readonly url: string;
  readonly onWebhook: Map<string, (webhook: Webhook) => void>;
  /** Resolves when a tenant has sent what is due: without it the order of webhooks would be a matter of chance. */
  idle: (tenant: string) => Promise<void>;
  readonly close: () => void;
}

export async function openSwitchboard(): Promise<Switchboard> {
  const onWebhook = new Map<string, (webhook: Webhook) => void>();
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (part) => (text += String(part)));
    request.on('end', () => {
      // The envelope, whose payload is an object under A-48 plain.
      const webhook = JSON.parse(text) as Webhook;
      onWebhook.get(webhook.tenant)?.(webhook);
      response.writeHead(200).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // It listens at an address, not at a pipe.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    onWebhook,
    idle: async () => {},
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

const post = async ({ fetch }: SimTenant, [method, path, body]: readonly [string, string, unknown]): Promise<void> => {
  const headers = { 'content-type': 'application/json', 'user-agent': 'receiver/1', 'x-sim-client': 'receiver' };
  const response = await fetch(path, { method, headers, body: JSON.stringify(body) });
  await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status}`);
};

const adjust = (tenant: SimTenant, amount: number): Promise<void> => {
  const trigger = { event: 'adjustPoints', contactId: astrid, definitionId: 1, amount };
  return post(tenant, ['POST', `/__admin/trigger?tenant=${tenant.name}`, trigger]);
};

const sleep = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Keeps this process from all work, as a machine does that is busy with something else. */
const stallFor = (milliseconds: number): unknown =>
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);

interface Hearing {
  readonly take: (webhook: Webhook) => void;
  /** Nothing goes on in this process for so many ms before each adjustment. */
  readonly stall?: number | undefined;
}

/** Adjusts points three times, and waits until all three webhooks have come, in whatever order. */
async function hear(tenant: SimTenant, { onWebhook, idle }: Switchboard, { take, stall = 0 }: Hearing): Promise<void> {
  const ids = new Set<string>();
  onWebhook.set(tenant.name, (webhook) => {
    ids.add(webhook.id);
    take(webhook);
  });
  for (const amount of [10, 20, 40]) {
    stallFor(stall);
    // What waited while nothing went on has its turn.
    await sleep(1);
    await adjust(tenant, amount);
    await idle(tenant.name);
    // Events have time stamps of whole milliseconds.
    await sleep(5);
  }
  for (let waited = 0; ids.size < 3 && waited < 10_000; waited += 20) await sleep(20);
  // What comes once more is sent at the same time.
  await idle(tenant.name);
  onWebhook.delete(tenant.name);
}

/** A point master that keeps a ledger, and sends the balance when it has heard of everything. */
const pointMaster =
  ({ booksEachOnce }: { readonly booksEachOnce: boolean }) =>
  (switchboard: Switchboard): ExploredFunction =>
  async (tenant) => {
    const booked = new Set<string>();
    let balance = 100;
    await post(tenant, ['POST', '/api/v3/point-accounts/balances', [balanceOf(balance)]]);
    const take = ({ id, payload }: Webhook): void => {
      if (booksEachOnce && booked.has(id)) return;
      booked.add(id);
      balance += Number(payload['amount']);
    };
    await hear(tenant, switchboard, { take });
    await post(tenant, ['POST', '/api/v3/point-accounts/balances', [balanceOf(balance)]]);
  };

const balanceOf = (amount: number): object => ({ contactId: astrid, definitionId: 1, amount });

/** A mail program that writes on the contact what the balance is, for the next letter. */
const mailer =
  ({ looksAtTimeStamps, stall }: { readonly looksAtTimeStamps: boolean; readonly stall?: number }) =>
  (switchboard: Switchboard): ExploredFunction =>
  async (tenant) => {
    let newest = { timeStamp: '', balance: 0 };
    const take = ({ payload }: Webhook): void => {
      const heard = { timeStamp: String(payload['timeStamp']), balance: Number(payload['balance']) };
      if (!looksAtTimeStamps || heard.timeStamp > newest.timeStamp) newest = heard;
    };
    await hear(tenant, switchboard, { take, stall });
    await post(tenant, ['PATCH', `/api/v3/contacts/${astrid}`, { careOf: `balance ${newest.balance}` }]);
  };

interface ReceiverCase {
  readonly name: string;
  readonly isRight: boolean;
  readonly defect: string;
  readonly client: (switchboard: Switchboard) => ExploredFunction;
  readonly options: SimOptions;
  /** The event of its webhooks. */
  readonly event: string;
  /** Any of these rules may find it. */
  readonly rules: readonly string[];
  /** Any of these schedules may show it, and no other. */
  readonly schedules: readonly string[];
}

const asFollower: SimOptions = { mode: 'point-follower', assumptions: { 'A-48': 'plain' } };
const asSubscriber: SimOptions = { webhookEvents: ['point.balance.updated'], assumptions: { 'A-48': 'plain' } };

/** Written before the first of them was explored. */
export const receivers: readonly ReceiverCase[] = [
  {
    name: 'master-books-once',
    isRight: true,
    defect: 'keeps the ids of what it has booked',
    client: pointMaster({ booksEachOnce: true }),
    options: asFollower,
    event: 'loyalty.addPoints',
    rules: [],
    schedules: [],
  },
  {
    name: 'master-books-twice',
    isRight: false,
    defect: 'books a webhook that comes twice once more',
    client: pointMaster({ booksEachOnce: false }),
    options: asFollower,
    event: 'loyalty.addPoints',
    rules: ['applied-twice', 'state'],
    schedules: ['twice'],
  },
  {
    name: 'mailer-newest',
    isRight: true,
    defect: 'passes over what is older than what it has',
    client: mailer({ looksAtTimeStamps: true }),
    options: asSubscriber,
    event: 'point.balance.updated',
    rules: [],
    schedules: [],
  },
  {
    name: 'mailer-last-arrived',
    isRight: false,
    defect: 'takes what arrives last for the newest',
    client: mailer({ looksAtTimeStamps: false }),
    options: asSubscriber,
    event: 'point.balance.updated',
    rules: ['state'],
    schedules: ['late', 'reordered', 'redelivered'],
  },
];

/** The last of them, on a machine that is busy with something else for 300 ms before each adjustment. */
export const stalledReceiver: Omit<ReceiverCase, 'schedules'> = {
  name: 'mailer-last-arrived-stalled',
  isRight: false,
  defect: 'takes what arrives last for the newest',
  client: mailer({ looksAtTimeStamps: false, stall: 300 }),
  options: asSubscriber,
  event: 'point.balance.updated',
  rules: ['state'],
};
