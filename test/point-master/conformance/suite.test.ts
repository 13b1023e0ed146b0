import { rmSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { playPointMasterSuite } from '../../../src/explore/point-master/suite.ts';
import type { CaseResult } from '../../../src/explore/conformance/case-result.ts';
import { folderWith } from '../../support/folders.ts';
import { key, secret } from '../../support/master.ts';
import { startMaster } from './master.mjs';
import type { RunningMaster } from './master.mjs';
import { wrongMasters } from './wrong-masters.ts';
import { startSim } from '../../support/open-sim.ts';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const oldKey = 'fedcba9876543210fedcba9876543210';

interface PlayOptions {
  readonly isSelected?: (id: string) => boolean;
  readonly timeout?: number;
}

/** Plays all cases, unless some are selected, with a point master in this process. */
async function playAll(
  defect?: string,
  { isSelected = () => true, timeout = 2000 }: PlayOptions = {},
): Promise<readonly CaseResult[]> {
  const folder = folderWith({});
  folders.push(folder);
  const sim = await startSim({ mode: 'point-follower' });
  const { url: serviceUrl } = await sim.listen();
  let ended: string | undefined;
  const start = (port?: number): Promise<RunningMaster> =>
    startMaster({ port, folder, defect, serviceUrl, keys: [key, oldKey], secret, onEnd: () => (ended = 'has ended') });
  let master = await start();
  const { port } = master;
  const url = `http://127.0.0.1:${port}`;
  const restart = async (): Promise<void> => {
    master.close();
    master = await start(port);
  };
  try {
    return await playPointMasterSuite({
      tenant: sim.tenants.default,
      agreement: { tenant: 'default', assumptions: {}, webhook: { url: `${url}/webhook`, key, secret } },
      url,
      oldKey,
      program: { restart, ended: () => ended },
      timeout,
      settleTime: 500,
      isSelected,
    });
  } finally {
    master.close();
    await sim.close();
  }
}

const withOutcome = (results: readonly CaseResult[], outcome: string): string[] =>
  results.filter((result) => result.outcome === outcome).map(({ id }) => id);

describe('the point-master suite', () => {
  it('passes a right point master in every case', async () => {
    const results = await playAll();
    expect(results.filter(({ outcome }) => outcome !== 'PASS')).toEqual([]);
    expect(results.length).toBeGreaterThan(30);
  });

  it.each(['rebuilds-lists', 'sends-all-totals'])(
    'passes a point master that %s in place of the same body again',
    async (way) => {
      const results = await playAll(way, { isSelected: isOfBalances });
      expect(results.map(({ outcome, reason }) => [outcome, reason])).toEqual(
        Array.from({ length: 6 }, () => ['PASS', '']),
      );
    },
  );

  it('delivers a webhook again that a point master cannot take now', async () => {
    const results = await playAll('is-busy-at-first', { isSelected: (id) => id === 'webhook/negative' });
    expect(results.map(({ outcome }) => outcome)).toEqual(['PASS', 'PASS']);
  });

  it('fails a point master whose balances the service refuses, and names the reason', async () => {
    const [plain, ...others] = await playAll('sends-an-object', { timeout: 500 });
    expect(plain).toMatchObject({
      outcome: 'FAIL',
      reason: expect.stringMatching(/balances got status 400 \(must be a list, not an object\)$/),
    });
    expect(others.every(({ outcome }) => outcome === 'not exercised')).toBe(true);
  });

  it('shows what a point master says of a webhook, but no control characters and no key', async () => {
    const [plain] = await playAll('echoes-its-key', { isSelected: () => false });
    expect(plain?.reason).toContain('got status 400 (“\\u001b[2J key\\n***”), expected 2xx');
  });

  it('says that any refusal is one', async () => {
    const [, refused] = await playAll('checks-no-signature', { isSelected: (id) => id === 'webhook/unsigned' });
    expect(refused?.reason).toMatch(
      /got status 200, expected a status that refuses it: 401 or 400, or any other but 2xx$/,
    );
  });

  it('names the case in which a point master has ended', async () => {
    const ids = ['webhook/missing-fields', 'webhook/not-json', 'webhook/wrong-key'];
    const results = await playAll('ends-late-at-bad-json', { isSelected: (id) => ids.includes(id) });
    const end = 'the point master has ended in the case webhook/not-json';
    expect(results.map(({ id, outcome, reason }) => [id, outcome, reason])).toEqual([
      ['plain', 'PASS', ''],
      ['webhook/wrong-key', 'PASS', ''],
      ['webhook/not-json', 'FAIL', expect.stringMatching(new RegExp(`; ${end}$`))],
      ['webhook/missing-fields', 'not exercised', end],
    ]);
  });

  it('notes that a history has descriptions of its own', async () => {
    const [, unicode] = await playAll('own-descriptions', { isSelected: (id) => id === 'webhook/unicode' });
    const reason = 'note: the history shows the description “Adjustment”, “Grattis på födelsedagen 🎂” was sent';
    expect(unicode).toMatchObject({ outcome: 'PASS', reason });
  });

  it('leaves open whether a list that was not repeated in time would come', async () => {
    const [, ...results] = await playAll('repeats-late', { isSelected: isOfBalances, timeout: 500 });
    expect(withOutcome(results, 'INCONCLUSIVE')).toHaveLength(5);
    expect(results[1]?.reason).toMatch(/got status 504, and was not sent again in 0\.5 s.* set a longer --timeout$/);
  });
});

const isOfBalances = (id: string): boolean => id.startsWith('balances/');

describe.concurrent('the suite fails a point master that', () => {
  it.each(wrongMasters.map((master) => [master.does, master] as const))(
    '%s',
    async (_, { defect, meant, others = [] }) => {
      const results = await playAll(defect);
      expect(withOutcome(results, 'FAIL').toSorted()).toEqual([meant, ...others].toSorted());
      // One that has ended sends no balances any more.
      const isOver = withOutcome(results, 'not exercised').length > 0;
      if (!isOver) expect(withOutcome(results, 'INCONCLUSIVE')).toEqual([]);
    },
    // All of them run at once.
    300_000,
  );
});
