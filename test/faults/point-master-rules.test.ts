/** What goes wrong with the point master beside the simulator, as scenarios say it. */
import { describe, expect, it } from 'vitest';
import { InputError } from '../../src/core/lib/input-error.ts';
import { parseScenario } from '../../src/scenario/scenario-parser.ts';
import type { ScenarioInput } from '../../src/scenario/scenario-schema.ts';
import { createSim } from '../../src/simulator/create-sim.ts';
import type { SimOptions } from '../../src/simulator/options.ts';
import type { Client } from '../support/client.ts';
import { openSimOnPort } from '../support/open-sim-on-port.ts';
import { astrid } from '../support/people.ts';

type MasterRules = NonNullable<ScenarioInput['pointMaster']>;

/** A simulator on a port and a point master beside it, for which these rules are meant. */
const openPair = (master: MasterRules, options: SimOptions = {}): Promise<Client> =>
  openSimOnPort({ withPointMaster: true, scenario: { pointMaster: master }, ...options });

const trigger = ({ post }: Client, body: object, tenant = 'default') => post(`/__admin/trigger?tenant=${tenant}`, body);

/** Adjusts points, and answers how the attempts to tell the point master of it went, once there was one. */
async function attemptsOf(pair: Client, tenant = 'default'): Promise<unknown[]> {
  await trigger(pair, { event: 'adjustPoints', contactId: astrid, definitionId: 1, amount: 25 }, tenant);
  const { items } = (await pair.get(`/__admin/webhooks?wait=60s&tenant=${tenant}`)).body;
  return items.at(-1).attempts.map(({ status }: { status?: number }) => status ?? 'none');
}

const sync = (pair: Client, tenant?: string) => trigger(pair, { event: 'syncBalances' }, tenant);

const balance = async ({ get }: Client): Promise<number> =>
  (await get(`/api/v3/point-accounts?contactId=${astrid}`)).body.items[0].balance;

const counted = async ({ get }: Client, tenant = 'default'): Promise<unknown> =>
  (await get(`/__admin/scenario?tenant=${tenant}`)).body.pointMaster.map(
    ({ id, matched, fired, remaining }: Record<string, unknown>) => [id, matched, fired, remaining],
  );

describe('a rule about the point master', () => {
  it.each([
    ['down', 'none', 0],
    ['error', 500, 0],
    [{ error: 503 }, 503, 0],
    ['lost-response', 'none', 25],
    [{ slow: '50ms' }, 200, 25],
  ] as const)('has it take a webhook as %j', async (fault, status, ledger) => {
    const pair = await openPair([{ match: { request: 'webhook' }, fault, times: 1 }]);
    expect(await attemptsOf(pair)).toEqual([status]);
    const accounts = pair.sim.pointMaster?.ledger({ contactId: astrid }) ?? [];
    expect(accounts.find(({ definitionId }) => definitionId === 1)?.balance ?? 0).toBe(ledger);
    expect(await counted(pair)).toEqual([['point-master-1', 1, 1, 0]]);
  });

  it.each([
    ['stale-sync', [0, 35]],
    ['partial-sync', [0, 35]],
    ['repeated-sync', [25, 35]],
    [{ 'late-sync': '50ms' }, [25, 35]],
  ] as const)('has it send balances as %j', async (fault, gained) => {
    const pair = await openPair([{ fault, skip: 1, times: 1 }]);
    const adjust = { event: 'adjustPoints', contactId: astrid, definitionId: 1, amount: 10 };
    await trigger(pair, adjust);
    await sync(pair);
    const before = await balance(pair);
    await trigger(pair, { ...adjust, amount: 25 });
    const { balances } = (await sync(pair)).body;
    const first = (await balance(pair)) - before;
    await trigger(pair, adjust);
    await sync(pair);
    expect([first, (await balance(pair)) - before]).toEqual(gained);
    expect(balances).toBe({ 'repeated-sync': 2, 'partial-sync': 0 }[String(fault)] ?? 1);
  });

  it('has it fail to tell the history alone', async () => {
    const pair = await openPair([{ match: { request: 'history' }, fault: { error: 503 } }]);
    expect(await attemptsOf(pair)).toEqual([200]);
    const { pointHistory } = (await pair.get(`/__admin/contacts/${astrid}/card`)).body;
    expect(pointHistory.note).toContain('503');
  });

  it('may be a sequence, one fault after the other', async () => {
    const pair = await openPair([{ fault: [{ error: 503 }, 'error'] }]);
    await attemptsOf(pair);
    await pair.post('/__admin/clock', { advance: '6m' });
    const { items } = (await pair.get('/__admin/webhooks')).body;
    expect(items[0].attempts.map(({ status }: { status: number }) => status)).toEqual([503, 500, 200]);
  });

  it('counts for each tenant apart, and anew after a reset', async () => {
    const pair = await openPair([{ id: 'once', fault: { error: 503 }, times: 1 }]);
    expect(await attemptsOf(pair, 'oslo')).toEqual([503]);
    expect(await counted(pair)).toEqual([['once', 0, 0, 1]]);
    expect(await attemptsOf(pair)).toEqual([503]);
    await pair.post('/__admin/reset', { scopes: ['faults'] });
    expect([await counted(pair), await counted(pair, 'oslo')]).toEqual([[['once', 0, 0, 1]], [['once', 1, 1, 0]]]);
  });

  it('is asked after those of the master itself', async () => {
    const pair = await openPair([{ fault: { error: 503 } }]);
    pair.sim.pointMaster?.setFaults([{ fault: 'error', status: 501, times: 1 }]);
    expect(await attemptsOf(pair)).toEqual([501]);
    expect(await counted(pair)).toEqual([['point-master-1', 0, 0, null]]);
  });

  it('that never fired leaves the verdict open', async () => {
    const pair = await openPair([{ fault: 'stale-sync' }, { fault: 'down', probability: 0 }]);
    expect(await attemptsOf(pair)).toEqual([200]);
    await pair.get('/api/v3/consents');
    const { rules } = (await pair.get('/__admin/verdict')).body;
    expect(rules.map(({ id, verdict }: Record<string, string>) => [id, verdict])).toEqual([
      ['point-master-1', 'INCONCLUSIVE'],
      ['point-master-2', 'PASS'],
    ]);
  });

  it('keeps what it has counted when the scenario is taken up again and it is as it was', async () => {
    const kept = { id: 'kept', fault: { error: 503 }, times: 1 } as const;
    const pair = await openPair([kept, { id: 'other', fault: 'down' }]);
    await attemptsOf(pair);
    pair.sim.replaceScenario(parseScenario({ pointMaster: [kept, { id: 'other', fault: 'error' }] }));
    expect(await counted(pair)).toEqual([
      ['kept', 1, 1, 0],
      ['other', 0, 0, null],
    ]);
    await pair.call('PUT', '/__admin/scenario', { body: { pointMaster: [kept] } });
    expect(await counted(pair)).toEqual([['kept', 0, 0, 1]]);
  });
});

describe('without a point master beside it', () => {
  const scenario = { pointMaster: [{ fault: 'down' as const }] };
  const told = 'rules for a point master next to the simulator, and there is none';

  it('is refused with its scenario', async () => {
    await expect(createSim({ scenario })).rejects.toThrow(told);
    await expect(createSim({ scenario })).rejects.toThrow(InputError);
  });

  it('is refused by a simulator that runs, which stays as it was', async () => {
    const pair = await openPair([], { withPointMaster: false, scenario: {} });
    const answers = [
      await pair.call('PUT', '/__admin/scenario', { body: scenario }),
      await pair.post('/__admin/tenants', { name: 'oslo', scenario }),
    ];
    const errors = answers.map(({ status, body }) => [status, body.validationErrors[0]]);
    const error = {
      field: 'pointMaster',
      errorDescription: expect.stringMatching(/^the scenario has rules for a point master/),
    };
    expect(errors).toEqual([
      [400, error],
      [400, error],
    ]);
    expect(() => pair.sim.replaceScenario(parseScenario(scenario))).toThrow(told);
    expect((await pair.get('/__admin/scenario')).body.scenario).toEqual({});
    expect((await pair.get('/t/bergen/api/v3/contacts/count')).status).toBe(200);
  });
});

const forms =
  'one of down, error, lost-response, repeated-sync, stale-sync, partial-sync, or {"error": 503}, {"slow": "20s"} or {"late-sync": "30s"}';

it.each([
  [{ fault: 'slwo' }, `fault: must be ${forms}, not "slwo"`],
  [{ fault: 'lost-answer' }, `fault: must be ${forms}, not "lost-answer"; it is called "lost-response" now`],
  [{ fault: { late: '2h' } }, 'fault.late: is not a field here; there are error, slow, late-sync'],
  [{ fault: { slow: '2h' } }, 'fault.slow: must be at most 1h, not "2h"'],
  [{ fault: { slow: '1s', error: 500 } }, `fault: must be ${forms}`],
  [{ fault: { error: 200 } }, 'fault.error: must be from 400 to 599, not 200'],
  [{ fault: 'down', match: { request: 'sync' } }, 'match.request: is "sync", and down happens to webhook or history'],
  [
    { fault: 'stale-sync', match: { request: 'webhook' } },
    'match.request: is "webhook", and stale-sync happens to sync',
  ],
  [{ fault: ['down', 'stale-sync'] }, 'fault: has down and stale-sync: one happens to requests to the point master'],
  [{ fault: 'down', nth: 2, skip: 1 }, 'skip: contradicts nth'],
])('a rule about the point master can not be %j', (rule, message) => {
  expect(() => parseScenario({ pointMaster: [rule] })).toThrow(`scenario: pointMaster[0].${message}`);
});
