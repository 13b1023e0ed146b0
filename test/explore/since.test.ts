import { describe, expect, it } from 'vitest';
import type { ExploreOptions } from '../../src/simulator/sim-explore.ts';
import type { Exploration } from '../../src/explore/explore.ts';
import type { SimTenant } from '../../src/simulator/tenant-handle.ts';
import { openSim } from '../support/open-sim.ts';
import { astrid, bo } from '../support/people.ts';
import { receiptOf } from '../support/receipt.ts';

const sleep = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

interface TillOptions {
  readonly attempts?: number;
  readonly customers?: readonly string[];
  readonly newKey?: boolean;
}

/** Sells to customers one after the other; what fails is sent again, with the same key unless a defect is planted. */
async function sell(
  { fetch }: SimTenant,
  { attempts = 3, customers = [astrid, bo], newKey = false }: TillOptions = {},
): Promise<void> {
  for (const [index, customer] of customers.entries()) {
    for (let attempt = 1; attempt <= attempts; attempt++) {
      if (attempt > 1) await sleep(25);
      const key = `till-${index}${newKey && attempt > 1 ? `-${attempt}` : ''}`;
      const response = await fetch('/api/v3/receipts', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-sim-client': 'till-1' },
        body: JSON.stringify(receiptOf(customer, key)),
        signal: AbortSignal.timeout(400),
      })
        .then(async (one) => ({ status: one.status, text: await one.text(), after: one.headers.get('retry-after') }))
        .catch(() => undefined);
      if (response && response.status < 500 && response.status !== 429) break;
      await sleep(Number(response?.after ?? 0) * 1000);
    }
  }
}

async function explored(till: TillOptions, options: ExploreOptions = {}, policy = { minBackoff: '20ms' }) {
  const { sim } = await openSim({ policy });
  return sim.explore((tenant) => sell(tenant, till), { level: 1, ...options });
}

const keptOf = ({ points }: Exploration): string[] =>
  points.filter(({ status, witness }) => status === 'kept' && witness === undefined).map(({ id }) => id);

const idsOf = ({ findings }: Exploration): string[] => findings.map(({ id }) => id);

const countBeyondSingle = ({ points }: Exploration, status: string): number =>
  points.filter((point) => point.level > 1 && point.status === status).length;

describe('exploring since an earlier exploration', () => {
  it('tries nothing again but samples where nothing has changed, and takes JSON for it', async () => {
    const first = await explored({});
    expect([first.status, keptOf(first)]).toEqual(['clean', []]);
    const again = await explored({}, { since: JSON.parse(JSON.stringify(first)) });
    expect(again.status).toBe('clean');
    expect(again.runs).toBeLessThan(first.runs);
    expect(keptOf(again).length).toBeGreaterThan(2);
    expect(again.coverage['not-tried'] + again.coverage.unreachable).toBe(0);
    expect(again.coverage.points).toBe(first.coverage.points);
    expect(again.notes.join()).toMatch(/^\d+ points are not tried again/);
    const third = await explored({}, { since: again });
    expect(keptOf(third)).toEqual(keptOf(again));
  });

  it('tries every fault at a request that is new', async () => {
    const first = await explored({ customers: [astrid] });
    const again = await explored({}, { since: first });
    expect(keptOf(again).every((id) => id.startsWith('createReceipt#1.'))).toBe(true);
    expect(keptOf(again).length).toBeGreaterThan(0);
  });

  it('tries everything again when the client takes a fault otherwise than it did', async () => {
    const first = await explored({ attempts: 3 });
    const again = await explored({ attempts: 1 }, { since: first });
    expect(keptOf(again)).toEqual([]);
    expect(again.status).toBe('found');
    expect(again.notes.join()).toMatch(/Nothing is kept of the last exploration: \S*createReceipt/);
  });

  it('tries again what was found, and what comes of it', { timeout: 120_000 }, async () => {
    const first = await explored({ newKey: true });
    expect(first.status).toBe('found');
    const second = await explored({ newKey: true }, { since: first });
    expect(idsOf(first)).toEqual(['R5 createReceipt status', 'R10 createReceipt status']);
    expect(idsOf(second)).toEqual(idsOf(first));
    const mended = await explored({}, { since: first });
    expect(mended.status).toBe('clean');
  });

  it('tries everything again under another policy', async () => {
    const first = await explored({});
    const again = await explored({}, { since: first }, { minBackoff: '10ms' });
    expect(keptOf(again)).toEqual([]);
    expect(again.notes.join()).toContain('with another policy, scenario or other settings');
  });

  // What a busy machine leaves unsure is tried again.
  const inDoubt = { retry: 5, timeout: 120_000 };
  it('keeps lasting faults and outages while no request has changed', inDoubt, async () => {
    const options = { level: 3, maxRuns: 200 };
    const till = { customers: [astrid], attempts: 20 };
    const first = await explored(till, options);
    const second = await explored(till, { ...options, since: first });
    expect(countBeyondSingle(first, 'tried')).toBeGreaterThan(0);
    expect(countBeyondSingle(second, 'kept')).toBe(countBeyondSingle(first, 'tried'));
    const more = await explored({}, { ...options, since: first });
    expect(more.points.filter(({ level, status }) => level === 3 && status === 'kept')).toEqual([]);
  });
});
