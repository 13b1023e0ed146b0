import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createSim } from '../../src/sim.ts';
import type { SimOptions } from '../../src/sim.ts';
import type { Verdict } from '../../src/verdict/verdict.ts';

interface TillClass {
  new (options: { readonly url: string; readonly pauses?: readonly number[] | undefined }): {
    readonly checkout: (purchase: object) => Promise<unknown>;
    readonly deliverQueue: () => Promise<boolean>;
  };
}

const source = new URL('../clients/till.mjs', import.meta.url);

export const tillText = (): string => readFileSync(source, 'utf8');

/** A till whose text was changed, as a module of its own. */
export async function tillFrom(text: string): Promise<TillClass> {
  const file = join(mkdtempSync(join(tmpdir(), 'loyalty-sim-till-')), 'till.mjs');
  writeFileSync(file, text);
  return ((await import(pathToFileURL(file).href)) as { Till: TillClass }).Till;
}

interface Day {
  readonly scenario: SimOptions['scenario'];
  readonly email?: string | undefined;
  readonly checkouts?: number | undefined;
  readonly pauses?: readonly number[] | undefined;
}

/** A till's day against a simulator of its own, over a real socket: some purchases, and then what was left over. */
export async function dayOf(Till: TillClass, { scenario, email, pauses, checkouts = 1 }: Day): Promise<Verdict> {
  const sim = await createSim({ fixtures: 'fixtures/default.json', scenario });
  try {
    const { url } = await sim.listen();
    const till = new Till({ url, pauses });
    for (let i = 0; i < checkouts; i++) await till.checkout(purchase(email ?? customers[i]));
    await till.deliverQueue();
    return await sim.verdict();
  } finally {
    await sim.close();
  }
}

const customers = [
  'astrid.lindqvist@example.com',
  'johan.bergstrom@example.com',
  'elin.sandberg@example.com',
  'oskar.nystrom@example.com',
  'maja.holm@example.com',
];

const purchase = (email: string | undefined): object => ({
  email,
  firstName: 'Astrid',
  lines: [{ sku: 'A-1', price: 400 }],
  definitionId: 1,
  challengeId: '9b1d0c00-cccc-4000-8000-000000000001',
});

/** The rules by which operations were failed. */
export const failedBy = ({ operations }: Verdict): string[] => [
  ...new Set(
    operations.flatMap(({ findings }) => findings.filter(({ weight }) => weight === 'fail').map(({ rule }) => rule)),
  ),
];
