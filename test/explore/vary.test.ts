import { describe, expect, it } from 'vitest';
import { variationLines } from '../../src/explore/report/variation-words.ts';
import type { Exploration } from '../../src/explore/explore.ts';
import type { ExploredFunction, ExploreOptions } from '../../src/simulator/sim-explore.ts';
import { openSim } from '../support/open-sim.ts';
import { astrid } from '../support/people.ts';
import { receiptOf } from '../support/receipt.ts';
import { pointsRow } from '../support/judged.ts';

const sleep = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Sends a body until there is a response that says how it ended, three times at the most. */
const sendsAgain =
  (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}): ExploredFunction =>
  async ({ fetch }) => {
    for (let attempt = 0; attempt < 3; attempt++) {
      const response = await fetch(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-sim-client': 'till-1', ...headers },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(500),
      }).catch(() => undefined);
      await response?.text();
      if (response && response.status < 500 && response.status !== 429) return;
      await sleep(Number(response?.headers.get('retry-after') ?? 0) * 1000 + 20 * (attempt + 1));
    }
  };

const sellsReceipt = sendsAgain('/api/v3/receipts', receiptOf(astrid, 'till-1'));
const addsPoints = sendsAgain('/api/v3/point-accounts/transactions', [{ ...pointsRow, description: 'bonus' }]);

const addsPointsAsTill = sendsAgain('/api/v3/point-accounts/transactions', [{ ...pointsRow, description: 'bonus' }], {
  'user-agent': 'till/1',
});

async function vary(client: ExploredFunction, options: ExploreOptions = {}): Promise<Exploration> {
  const { sim } = await openSim();
  return sim.explore(client, { level: 1, vary: true, ...options });
}

const passesOf = ({ variations }: Exploration) => variations.find(({ finding }) => finding === undefined)?.runs ?? [];

/** Reads a contact, and needs its e-mail address. */
const reads: ExploredFunction = async ({ fetch }) => {
  const response = await fetch(`/api/v3/contacts/${astrid}`, { signal: AbortSignal.timeout(500) }).catch(
    () => undefined,
  );
  if (response?.status !== 200) return;
  // A contact.
  const { email } = (await response.json()) as { readonly email?: string };
  if (email === undefined) throw new Error('the contact has no e-mail address');
};

describe('varying assumptions', () => {
  it('says that what passed depends on how a repeated receipt is taken', async () => {
    const exploration = await vary(sellsReceipt);
    expect(exploration.status).toBe('clean');
    const runs = passesOf(exploration);
    const repeated = runs.filter(({ assumption }) => assumption === 'A-24');
    expect(repeated).toMatchObject([{ inForce: 'default', variant: 'twice', outcome: 'fails' }]);
    expect(repeated[0]?.reason).toContain('R10 createReceipt');
    const others = runs.filter(({ assumption }) => assumption !== 'A-24' && assumption !== 'A-04');
    expect(new Set(others.map(({ outcome }) => outcome))).toEqual(new Set(['passes']));
    const lines = exploration.variations.flatMap(variationLines);
    expect(lines[0]).toMatch(
      /^depends on A-24 \(same uniqueReceiptId again\): passes by default, fails when twice \(.*\): R10 createReceipt/,
    );
  });

  it('says that what fails when receipts count twice passes by default', async () => {
    const { sim } = await openSim({ assumptions: { 'A-24': 'twice' } });
    const { findings, variations } = await sim.explore(sellsReceipt, { level: 1, vary: true });
    const found = findings.find(({ rule, endpoint }) => rule === 'R10' && endpoint === 'createReceipt');
    const varied = variations.find(({ finding }) => finding === found?.id);
    const repeated = varied?.runs.filter(({ assumption }) => assumption === 'A-24');
    expect(repeated).toMatchObject([{ inForce: 'twice', variant: 'default', outcome: 'passes' }]);
  });

  it('says that the work is not done when the service wants a header that the client does not send', async () => {
    const exploration = await vary(addsPoints, { maxRuns: 40 });
    const runs = passesOf(exploration).filter(({ assumption }) => assumption === 'A-04');
    expect(runs).toMatchObject([{ variant: 'required', outcome: 'differs' }]);
    const line = exploration.variations.flatMap(variationLines).find((one) => one.includes('another state')) ?? '';
    expect(line).toMatch(/^depends on A-04 \(`User-Agent` missing\): leaves another state when required: .*missing$/);
  });

  it('says that a finding holds whatever the service is assumed to do', async () => {
    const { findings, variations } = await vary(addsPointsAsTill);
    expect(findings.length).toBeGreaterThan(0);
    for (const { id } of findings) {
      const varied = variations.find(({ finding }) => finding === id);
      const lines = varied ? variationLines(varied) : [];
      expect(lines).toHaveLength(1);
      expect(lines[0]).toMatch(/^holds under all \d+ variants of|^rests on no assumption that has variants/);
    }
  });

  it('says that a client fails without faults under a variant', async () => {
    const runs = passesOf(await vary(reads, { maxRuns: 20 }));
    const shapes = runs
      .filter(({ assumption }) => assumption === 'A-10')
      .map(({ variant, outcome, reason }) => [variant, outcome, reason]);
    expect(shapes).toEqual([
      ['envelope', 'fails', 'the client fails without any fault: the contact has no e-mail address'],
      ['both', 'passes', undefined],
    ]);
  });

  it('says before how many runs that takes, and names what the budget left out', async () => {
    const told: number[] = [];
    const { variations } = await vary(sellsReceipt, {
      maxRuns: 1,
      onProgress: (progress) => void (progress.event === 'varying' && told.push(progress.runs)),
    });
    const runs = variations.flatMap((variation) => variation.runs);
    expect(told).toEqual([runs.length]);
    expect(new Set(runs.map(({ outcome }) => outcome))).toEqual(new Set(['not-varied']));
    expect(variations.flatMap(variationLines)[0]).toMatch(/^was not varied, because the budget was over: A-\d+ \w+/);
  });
});
