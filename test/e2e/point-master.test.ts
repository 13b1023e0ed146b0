/** Two processes that speak HTTP alone: the service as the follower, and its point master. */
import { afterEach, describe, expect, it } from 'vitest';
import { startCommand, startMaster, tidy } from '../support/command.ts';
import type { Started } from '../support/command.ts';
import { call, key, post, secret } from '../support/master.ts';
import { astrid } from '../support/people.ts';

afterEach(tidy);

interface Pair {
  readonly service: Started;
  readonly master: Started;
}

interface Account {
  readonly contactId: string;
  readonly balance: number;
}

/** A service and its master, each told of the other: the tenant `follower` has the master's webhook. */
async function startPair(setup: object = {}, masterFlags: readonly string[] = []): Promise<Pair> {
  const service = await startCommand(['--fixtures', 'default', '--log', 'silent']);
  const keys = ['--key', key, '--secret', secret, '--service-url', service.url];
  const master = await startMaster([...keys, ...masterFlags]);
  const webhook = { webhookUrl: master.url, webhookKey: key, webhookSecret: secret };
  const tenant = { name: 'follower', mode: 'point-follower', ...webhook, ...setup };
  expect((await post(`${service.url}/__admin/tenants`, tenant)).status).toBe(201);
  return { service, master };
}

const control = ({ service }: Pair, path: string): string =>
  `${service.url}/__admin/${path}${path.includes('?') ? '&' : '?'}tenant=follower`;

const trigger = (pair: Pair, contactId: string, amount: number) =>
  post(control(pair, 'trigger'), { event: 'adjustPoints', contactId, definitionId: 1, amount });

const advance = (pair: Pair, by: string) => post(control(pair, 'clock'), { advance: by });

const delivered = (pair: Pair, count: number) =>
  call(control(pair, `webhooks?status=delivered&wait=60s&limit=1&atLeast=${count}`));

async function balance({ service }: Pair, contactId: string): Promise<number | undefined> {
  const { body } = await call(`${service.url}/t/follower/api/v3/point-accounts?contactId=${contactId}`);
  return body.items.find(({ definitionId }: { definitionId: number }) => definitionId === 1)?.balance;
}

it('an adjustment goes to the master and comes back as a balance, in real time', async () => {
  const pair = await startPair({}, ['--sync-every', '20ms']);
  await trigger(pair, astrid, 25);
  const { body } = await call(`${pair.master.url}/__master/log?event=sync&outcome=sent&wait=60s`);
  expect(body.entries).toMatchObject([{ items: 1, status: 202 }]);
  expect(await balance(pair, astrid)).toBe(25);
});

it('an adjustment that the master can not take comes again on the virtual clock, and counts once', async () => {
  const faults = ['error*1', 'down*1', 'lost-response*1'].flatMap((fault) => ['--fault', fault]);
  const pair = await startPair({ now: '2026-03-01T12:00:00Z' }, faults);
  await trigger(pair, astrid, 25);
  await advance(pair, '1h');
  const { body } = await delivered(pair, 1);
  expect(body).toMatchObject({ sent: 1, delivered: 1, failed: 0, pending: 0 });
  expect(body.items[0].attempts.map(({ at }: { at: string }) => at.slice(11, 19))).toEqual([
    '12:00:00',
    '12:00:05',
    '12:05:05',
    '12:35:05',
  ]);
  await post(`${pair.master.url}/sync`);
  expect(await balance(pair, astrid)).toBe(25);
});

const contactOf = (n: number): string => `5a0e7c1e-0001-4000-8000-${String((n % 10) + 1).padStart(12, '0')}`;

describe.each([
  { clock: 'virtual', setup: { now: '2026-03-01T12:00:00Z' } },
  { clock: 'real', setup: {} },
])('three hundred adjustments with faults on the way, in $clock time', ({ setup }) => {
  const faults = ['error=503*40', 'down*20', 'lost-response*30'].flatMap((fault) => ['--fault', fault]);

  it('end in ledgers that agree, and all are accounted for', async () => {
    const pair = await startPair(setup, ['--log', 'silent', ...faults]);
    const sums = new Map<string, number>();
    for (let n = 1; n <= 300; n++) {
      sums.set(contactOf(n), (sums.get(contactOf(n)) ?? 0) + n);
      await trigger(pair, contactOf(n), n);
    }
    await advance(pair, '1h');
    const { body } = await delivered(pair, 300);
    expect(body).toMatchObject({ sent: 300, delivered: 300, failed: 0, pending: 0, missed: 0 });
    await post(`${pair.master.url}/sync`);
    for (const [contactId, sum] of sums) expect(await balance(pair, contactId)).toBe(sum);
    const { accounts } = (await call(`${pair.master.url}/ledger`)).body;
    expect(accounts.map((account: Account) => account.balance)).toEqual(
      accounts.map((account: Account) => sums.get(account.contactId)),
    );
  });
});
