import { describe, expect, it } from 'vitest';
import { explore } from '../../src/explore/explore.ts';
import type { ExploreProgress } from '../../src/explore/explore.ts';
import { ruleCoverage } from '../../src/explore/report/rules-at-risk.ts';
import { explorationStatus } from '../../src/explore/live/exploration-status.ts';
import type { ExploredClient } from '../../src/explore/run.ts';
import type { Sim } from '../../src/simulator/sim.ts';
import type { ExploredFunction } from '../../src/simulator/sim-explore.ts';
import type { SimTenant } from '../../src/simulator/tenant-handle.ts';
import { openSim } from '../support/open-sim.ts';
import { astrid, nils } from '../support/people.ts';
import { receiptOf } from '../support/receipt.ts';
import { pointsRow } from '../support/judged.ts';

const sleep = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

interface Item {
  readonly id: number;
  readonly definitionId: number;
  readonly description: string;
}

interface Answer {
  readonly status: number;
  readonly body: { readonly items: readonly Item[] } | undefined;
}

/** Sends a request until it is answered for good, four times at the most; `lookFirst` says that it took effect after all. */
async function send(
  { fetch }: SimTenant,
  [method, path, body]: readonly [string, string, unknown?],
  {
    lookFirst = async () => false,
    pause = 25,
    final,
  }: { lookFirst?: () => Promise<boolean>; pause?: number; final?: number | undefined } = {},
): Promise<Answer | undefined> {
  for (let attempt = 0; attempt < 4; attempt++) {
    if (attempt > 0) await sleep(pause * 2 ** (attempt - 1));
    if (attempt > 0 && (await lookFirst())) return { status: 200, body: undefined };
    try {
      const response = await fetch(path, {
        method,
        headers: { 'content-type': 'application/json', 'x-sim-client': 'till-1' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(300),
      });
      const text = await response.text();
      const after = Number(response.headers.get('retry-after') ?? 0) * 1000;
      if ((response.status < 500 && response.status !== 429) || response.status === final)
        return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
      await sleep(after);
    } catch {
      // No answer that can be read: it is tried again.
    }
  }
  return undefined;
}

const isServed = (url: string): Promise<boolean> =>
  fetch(url).then(
    () => true,
    () => false,
  );

const points = { ...pointsRow, description: 'bonus 1' };

const hasPoints = (tenant: SimTenant) => async (): Promise<boolean> => {
  const accounts = await send(tenant, ['GET', `/api/v3/point-accounts?contactId=${astrid}`]);
  const account = accounts?.body?.items.find(({ definitionId }) => definitionId === 1);
  const list = await send(tenant, ['GET', `/api/v3/point-transactions?id=${account?.id}&sortBy=createdOn&count=50`]);
  if (!list?.body) throw new Error('nobody says whether the points are there');
  return list.body.items.some(({ description }) => description === points.description);
};

interface Defects {
  readonly looks?: boolean;
  /** Takes a look that failed for "not there". */
  readonly guesses?: boolean;
  readonly newKey?: boolean;
  readonly givesUpOn504?: boolean;
}

/** A sale: the customer is looked up, buys twice, and gets points. */
const sale =
  ({ looks = true, guesses = false, newKey = false }: Defects = {}): ExploredFunction =>
  async (tenant) => {
    const look = hasPoints(tenant);
    await send(tenant, ['GET', `/api/v3/contacts/${astrid}`]);
    for (const key of ['till-1-1', 'till-1-2']) {
      if (newKey && key === 'till-1-2') await sendWithNewKeys(tenant);
      else await send(tenant, ['POST', '/api/v3/receipts', receiptOf(astrid, key)]);
    }
    await send(
      tenant,
      ['POST', '/api/v3/point-accounts/transactions', [points]],
      looks ? { lookFirst: guesses ? () => look().catch(() => false) : look } : {},
    ).catch(() => {});
  };

async function sendWithNewKeys(tenant: SimTenant): Promise<void> {
  for (let i = 0; i < 3; i++) {
    if (i > 0) await sleep(50);
    const body = JSON.stringify(receiptOf(astrid, `till-1-2-${i}`));
    const headers = { 'content-type': 'application/json', 'x-sim-client': 'till-1' };
    const signal = AbortSignal.timeout(300);
    const response = await tenant
      .fetch('/api/v3/receipts', { method: 'POST', headers, body, signal })
      .catch(() => undefined);
    if (response && response.status < 500 && response.status !== 429) return;
  }
}

const customers = [
  ['astrid.lindqvist@example.com', 'till-1-1'],
  ['johan.bergstrom@example.com', 'till-1-2'],
] as const;

/** Returns who gets the receipt, when the customer was not found. */
type Substitute = (before: string | undefined, tenant: SimTenant) => Promise<string | undefined> | string | undefined;

/** Looks each customer up, and sells; a response with the status `final` is not repeated either. */
const lookupsAndSales =
  (substitute: Substitute, final?: number): ExploredFunction =>
  async (tenant) => {
    let buyer: string | undefined;
    for (const [email, key] of customers) {
      const found = await send(tenant, ['GET', `/api/v3/contacts/id?email=${email}`], { final });
      buyer = found?.status === 200 ? String(found.body) : await substitute(buyer, tenant);
      const fields = buyer === undefined ? { contact: undefined } : {};
      await send(tenant, ['POST', '/api/v3/receipts', receiptOf(buyer ?? '', key, fields)]);
    }
  };

const registerNew: Substitute = async (_, tenant) => {
  const created = await send(tenant, ['POST', '/api/v3/contacts', nils]);
  return (created?.body as { readonly id?: string } | undefined)?.id;
};

/** Sends one receipt. */
const sellOne: ExploredFunction = (tenant) => send(tenant, ['POST', '/api/v3/receipts', receiptOf(astrid, 'till-1-1')]);

/** Changes a contact twice, sends each change once, whatever becomes of it, and ends at once. */
const changingOnce: ExploredFunction = async ({ fetch }) => {
  for (const change of [{ city: 'Uppsala' }, { street: 'New 9' }]) {
    const headers = { 'content-type': 'application/json', 'x-sim-client': 'till-1' };
    const init = { method: 'PATCH', headers, body: JSON.stringify(change), signal: AbortSignal.timeout(300) };
    await fetch(`/api/v3/contacts/${astrid}`, init).catch(() => {});
  }
};

/** Sends a receipt, and gives up where a request has failed for the so-manieth time. */
function givingUpAt(times: readonly number[]): ExploredFunction {
  let failures = 0;
  return async (tenant) => {
    const request = ['POST', '/api/v3/receipts', receiptOf(astrid, 'till-1-1')] as const;
    await send(tenant, request, { lookFirst: async () => times.includes(++failures) });
  };
}

const clientOf = ({ tenants, tenant }: Sim, client: ExploredFunction): ExploredClient => ({
  openTenant: (run) => tenants.getOrCreate(`client-${run}`),
  closeTenant: ({ name }) => void tenants.remove(name),
  run: async ({ name }, number) => {
    await client(tenant(name), { number });
    return {};
  },
});

/** Faults for good, and outages, leave a sale without a queue undelivered: these clients have none. */
const singleFaults = { level: 1, jobs: 8 };

describe('exploring', () => {
  it('finds nothing at a client that recovers from every single fault', async () => {
    const { sim } = await openSim();
    const { findings, reason, status, coverage, requests, runs } = await sim.explore(sale(), singleFaults);
    expect(findings).toEqual([]);
    expect({ status, reason, requests }).toEqual({ status: 'clean', reason: 'no run broke a rule', requests: 4 });
    expect(coverage.points).toBe(4 * 16);
    expect(coverage['not-tried'] + coverage.unreachable).toBe(0);
    expect(runs).toBeLessThan(60);
  });

  it('finds points that are added twice, and shrinks the faults to one', async () => {
    const { sim } = await openSim();
    const { findings, status } = await sim.explore(sale({ looks: false }), singleFaults);
    expect(status).toBe('found');
    expect([...new Set(findings.map(({ endpoint }) => endpoint))]).toEqual(['addPointTransactions']);
    const faults = findings.map(({ hits }) => JSON.stringify(hits));
    expect(new Set(faults).size).toBe(faults.length);
    expect(findings[0]).toMatchObject({ reproduced: { shown: 3, of: 3 }, hits: [{ operation: 1, attempt: 1 }] });
    expect(findings.flatMap(({ rule, also }) => [rule, ...also])).toContain('R10');
  });

  it('counts every rule that was broken at a point', async () => {
    const { sim } = await openSim();
    const explored = await sim.explore(sale({ looks: false }), singleFaults);
    const found = new Set(explored.findings.flatMap(({ rule, also }) => [rule, ...also]));
    const counted = ruleCoverage(explored.points).filter(({ broken }) => broken > 0);
    expect(new Set(counted.map(({ rule }) => rule))).toEqual(found);
  });

  it('judges what a client never repeats once its declared fallback is due, however soon the client ends', async () => {
    const { sim } = await openSim({ policy: { storeAndForward: { after: '100ms' } } });
    const { status, findings, coverage } = await sim.explore(changingOnce, singleFaults);
    expect([status, coverage.undecided]).toEqual(['found', 0]);
    // The second change came through, to the same path.
    expect(findings[0]).toMatchObject({ rule: 'R1', hits: [{ operation: 1 }], reproduced: { shown: 3, of: 3 } });
  });

  it('does not wait for a fallback that is due late, and leaves open what the client would do then', async () => {
    const { sim } = await openSim({ policy: { storeAndForward: { after: '1m' } } });
    const { status, findings, coverage } = await sim.explore(changingOnce, singleFaults);
    expect([status, findings]).toEqual(['clean', []]);
    expect(coverage.undecided).toBeGreaterThan(0);
  });

  it('takes what shows again in none of three repetitions for inconclusive', async () => {
    const { sim } = await openSim();
    const options = { ...singleFaults, maxRuns: 1 };
    const { status, reason, findings, unconfirmed, coverage } = await sim.explore(givingUpAt([1]), options);
    expect([status, reason, findings]).toEqual(['clean', '1 finding did not show again', []]);
    const found = { rule: 'R1', endpoint: 'createReceipt', firstRun: 3, reproduced: { shown: 0, of: 3 } };
    expect(unconfirmed).toMatchObject([found]);
    expect([coverage.found, coverage.undecided]).toEqual([0, 1]);
  });

  it('is inconclusive about a request that the client does not send again', async () => {
    const { sim } = await openSim();
    let runs = 0;
    const sellTwice: ExploredFunction = async (tenant) => {
      runs++;
      await send(tenant, ['POST', '/api/v3/receipts', receiptOf(astrid, 'till-1-1')]);
      // From the first fault on it sells once only.
      if (runs <= 2) await send(tenant, ['GET', '/api/v3/stores']);
    };
    const exploration = await sim.explore(sellTwice, singleFaults);
    expect([exploration.status, exploration.findings]).toEqual(['clean', []]);
    expect(exploration.coverage.unreachable).toBeGreaterThan(0);
    expect(explorationStatus(exploration)).toBe('INCONCLUSIVE');
  });

  it('calls what shows again in one of three repetitions flaky', async () => {
    const { sim } = await openSim();
    // The run that finds it, one that shrinks it, and one of the last three.
    const { findings, unconfirmed } = await sim.explore(givingUpAt([1, 2, 6]), { ...singleFaults, maxRuns: 1 });
    expect(unconfirmed).toEqual([]);
    expect(findings).toMatchObject([{ rule: 'R1', reproduced: { shown: 1, of: 3 } }]);
  });

  it('ends shrinking when its runs have taken long enough, and says so', async () => {
    const { sim } = await openSim();
    const sell = sale({ looks: false });
    const settings = { levels: 1, jobs: 8, maxRuns: 4, version: '0.1.0', shrinkTime: 0 };
    const { findings, notes } = await explore(clientOf(sim, sell), settings);
    expect(findings.length).toBeGreaterThan(0);
    // What it was found with shows it at once, or after the likeliest of it.
    for (const { shrinkRuns } of findings) expect(shrinkRuns).toBeLessThanOrEqual(3);
    expect(notes).toContainEqual(expect.stringMatching(/^R10 addPointTransactions \w+: shrinking ended when its runs/));
  });

  it('finds points that are added twice only when every look after the first attempt fails', async () => {
    const { sim } = await openSim();
    const { findings } = await explore(clientOf(sim, sale({ guesses: true })), {
      levels: 4,
      jobs: 8,
      version: '0.1.0',
      only: ({ level, rules }) => level === 1 || (level === 4 && rules.length > 2),
    });
    const found = findings.find(({ endpoint }) => endpoint === 'addPointTransactions');
    expect([found?.rule, ...(found?.also ?? [])].some((rule) => rule === 'R10' || rule === 'R11')).toBe(true);
    expect(found?.hits.filter(({ endpoint }) => endpoint.startsWith('listPoint')).length).toBeGreaterThan(1);
  });

  it('lets the first attempts of all writes fail while reads come through', async () => {
    const { sim } = await openSim();
    const { log } = await explore(clientOf(sim, sale()), {
      levels: 2,
      jobs: 8,
      version: '0.1.0',
      only: ({ title }) => title.endsWith('of every write'),
    });
    // Two receipts are tried four times each, and the points at least once.
    const run = log.find(({ level }) => level === 2);
    expect(run?.title).toBe('504 at the first 5 attempts of every write');
    expect(run?.hits).toBeGreaterThan(8);
  });

  it('finds what sits at the second of two receipts', async () => {
    const { sim } = await openSim();
    const { findings } = await sim.explore(sale({ newKey: true }), singleFaults);
    expect(findings.map(({ endpoint }) => endpoint)).toContain('createReceipt');
    const found = findings.find(({ endpoint }) => endpoint === 'createReceipt');
    expect(found?.rules).toMatchObject([{ match: { endpoint: 'createReceipt' }, operation: 2, attempt: 1, times: 1 }]);
  });

  it.each([400, 404, 429, 503])('finds a sale on the customer before, when a lookup gets status %i', async (status) => {
    const { sim } = await openSim();
    const { findings } = await sim.explore(
      lookupsAndSales((before) => before, status),
      singleFaults,
    );
    expect(findings.length).toBeGreaterThan(0);
    for (const { rule, message, hits } of findings) {
      expect(rule).toBe('state');
      expect(message).toMatch(/^a receipt of 249 SEK with 1 line is on contact \d+, not on contact \d+;/);
      expect(hits).toMatchObject([{ endpoint: 'getContactId', operation: 2 }]);
    }
  });

  it.each([
    ['sells to nobody', () => undefined],
    ['registers a customer', registerNew],
  ])('finds nothing at a client that %s when a lookup is refused', async (_, substitute) => {
    const { sim } = await openSim();
    expect((await sim.explore(lookupsAndSales(substitute), singleFaults)).findings).toEqual([]);
  });

  it('gives a scenario that shows what was found', async () => {
    const { sim } = await openSim();
    const { findings } = await sim.explore(sale({ looks: false }), singleFaults);
    await using tenant = sim.tenant();
    for (const rule of findings[0]?.rules ?? []) await tenant.faults.add(rule);
    await sale({ looks: false })(tenant, { number: 0 });
    expect((await tenant.verdict()).verdict).toBe('FAIL');
  });

  it('stops at a client that fails without faults', async () => {
    const { sim } = await openSim();
    const { status, reason } = await sim.explore(() => {
      throw new Error('no till drawer');
    });
    expect([status, reason]).toEqual(['stopped', 'the client fails without any fault: no till drawer']);
  });

  it('stops at a client that sends nothing', async () => {
    const { sim } = await openSim();
    expect(await sim.explore(() => {})).toMatchObject({ status: 'stopped', runs: 1 });
  });

  it('stops when its number of runs is used up, and says what was not tried', async () => {
    const { sim } = await openSim();
    const { coverage, runs } = await sim.explore(sale(), { ...singleFaults, maxRuns: 3 });
    expect(runs).toBe(5);
    expect(coverage['not-tried']).toBeGreaterThan(0);
  });

  it('tells of no fewer points done after each run, though runs lead to more points', async () => {
    const { sim } = await openSim();
    const told: { readonly points: number; readonly done: number }[] = [];
    const onProgress = (progress: ExploreProgress): void => {
      if (progress.event === 'run') told.push({ points: progress.points, done: progress.points - progress.remaining });
    };
    await sim.explore(sellOne, { level: 4, jobs: 8, maxRuns: 40, onProgress });
    expect(told.at(-1)?.points).toBeGreaterThan(told[0]?.points ?? Infinity);
    expect(told.map(({ done }) => done)).toEqual(told.map(({ done }) => done).toSorted((a, b) => a - b));
  });

  it('serves each run at an address of its own, with no connection of another', async () => {
    const { sim } = await openSim();
    const { url } = await sim.listen();
    const addresses: (string | undefined)[] = [url];
    const overHttp: ExploredFunction = (tenant, run) => {
      addresses.push(tenant.url);
      const sent: SimTenant['fetch'] = (path, init) => fetch(`${tenant.url}${String(path)}`, init);
      return sale()({ ...tenant, fetch: sent }, run);
    };
    const { runs } = await sim.explore(overHttp, { ...singleFaults, maxRuns: 3 });
    expect([runs, new Set(addresses).size]).toEqual([5, 6]);
    expect(new Set(addresses.map((address = '') => new URL(address).pathname))).toEqual(new Set(['/']));
    await Promise.all(addresses.slice(1).map((address = '') => expect.poll(() => isServed(address)).toBe(false)));
    await sim.close();
  });

  it('refuses options that make no sense', async () => {
    const { sim } = await openSim();
    await expect(sim.explore(sale(), { level: 7 })).rejects.toThrow('explore: level must be 1, 2, 3, 4 or 5, not 7');
    await expect(sim.explore(sale(), { budget: 'soon' })).rejects.toThrow('explore: budget must be a length of time');
  });
});
