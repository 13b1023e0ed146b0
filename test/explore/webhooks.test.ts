import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { explore } from '../../src/explore/explore.ts';
import type { Exploration } from '../../src/explore/explore.ts';
import { findingScenario } from '../../src/explore/report/finding-file.ts';
import { createSim } from '../../src/simulator/create-sim.ts';
import type { Sim } from '../../src/simulator/sim.ts';
import type { ExploredFunction } from '../../src/simulator/sim-explore.ts';
import { folderWith } from '../support/folders.ts';
import { openShopSim } from '../support/open-sim.ts';
import { openSwitchboard, receivers, stalledReceiver } from './clients/receivers.ts';
import type { Switchboard } from './clients/receivers.ts';

let switchboard: Switchboard;
beforeAll(async () => void (switchboard = await openSwitchboard()));
afterAll(() => switchboard.close());

type Receiver = Omit<(typeof receivers)[number], 'schedules'>;

// Its clock runs: a receiver tells by the time of a change which is older.
async function openSim({ options }: Receiver): Promise<Sim> {
  const sim = await createSim({ fixtures: 'fixtures/default.json', webhookUrl: switchboard.url, ...options });
  switchboard.idle = async (name) => sim.tenants.get(name)?.webhookSender?.idle();
  return sim;
}

const isAbout = (webhooks: readonly { readonly hit: { readonly probe: string } }[] = [], schedule?: string): boolean =>
  webhooks.some(({ hit }) => schedule === undefined || hit.probe === schedule);

/** Explores a receiver by the schedules of its webhooks alone: what its requests meet is tried elsewhere. */
async function exploreSchedules(receiver: Receiver, schedule?: string): Promise<Exploration> {
  const sim = await openSim(receiver);
  const client = receiver.client(switchboard);
  try {
    return await explore(
      {
        openTenant: (run) => sim.tenants.getOrCreate(`${receiver.name}-${run}`),
        closeTenant: ({ name }) => void sim.tenants.remove(name),
        run: async ({ name }, number) => {
          await client(sim.tenant(name), { number });
          return {};
        },
      },
      {
        levels: 5,
        jobs: 4,
        version: 'test',
        only: ({ level, webhooks }) => level === 5 && isAbout(webhooks, schedule),
      },
    );
  } finally {
    await sim.close();
  }
}

describe('exploring a receiver of webhooks that', () => {
  it.each(receivers.map((receiver) => [receiver.defect, receiver] as const))('%s', async (_, receiver) => {
    const { status, reason, findings, points, notes } = await exploreSchedules(receiver);
    expect([status, reason, notes]).toEqual([receiver.isRight ? 'clean' : 'found', expect.any(String), []]);
    const tried = points.filter(({ level }) => level === 5);
    expect(tried).toHaveLength(12);
    for (const { rule, hits, endpoint, reproduced } of findings) {
      expect(receiver.rules).toContain(rule);
      expect(endpoint).toBe(receiver.event);
      expect([hits.length, reproduced.shown]).toEqual([1, reproduced.of]);
    }
    expect(findings.map(({ hits }) => hits[0]?.probe).toSorted()).toEqual([...receiver.schedules].toSorted());
    const others = tried.filter(({ id }) => !receiver.schedules.includes(id.split('/')[1] ?? ''));
    expect(others.map(({ status: fate }) => fate)).toEqual(others.map(() => 'tried'));
  });
});

describe('an exploration of webhooks', () => {
  it('does not take a moment in which the machine stands still for a pause of the receiver', async () => {
    const { status, findings } = await exploreSchedules(stalledReceiver, 'late');
    expect([status, findings.map(({ rule, reproduced }) => [rule, reproduced.shown])]).toEqual([
      'found',
      [['state', 3]],
    ]);
  });

  it('gives a scenario that shows what was found', async () => {
    const receiver = receivers.find(({ name }) => name === 'master-books-twice');
    if (!receiver) throw new Error('there is no such receiver');
    const [found] = (await exploreSchedules(receiver)).findings;
    if (!found) throw new Error('nothing was found');
    const file = join(folderWith({ 'twice.yaml': findingScenario(found, 'twice.yaml') }), 'twice.yaml');
    const sim = await openSim(receiver);
    try {
      await using tenant = sim.tenant('played');
      await tenant.applyScenario(file);
      await receiver.client(switchboard)(tenant, { number: 1 });
      const { verdict, reason, rules } = await tenant.verdict();
      expect([verdict, rules.map(({ fired }) => fired)]).toEqual(['FAIL', [1]]);
      expect(reason).toContain('as if applied twice');
    } finally {
      await sim.close();
    }
  });

  it('says that there was nothing to try where no webhook was delivered', async () => {
    const { sim } = await openShopSim();
    const { notes, points } = await sim.explore(counts, { level: 5, maxRuns: 1 });
    expect(notes).toEqual([
      'Level 5: no webhook was delivered without faults, so that none could be late, lost or doubled.',
    ]);
    expect(points.filter(({ level }) => level === 5)).toEqual([]);
  });
});

const counts: ExploredFunction = async ({ fetch }) => void (await (await fetch('/api/v3/contacts/count')).text());
