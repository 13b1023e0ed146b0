/** The client programs that explorations are tried on: none fails without faults, and each defect shows as said beside it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { has } from '../../support/client-table.ts';
import { failuresOf, openExploredStage, requestsOf } from './play.ts';
import { wrongQueues } from './queues.ts';
import { rightClients } from './right.ts';
import { wrongTills } from './tills.ts';
import type { ExploredClient, WrongTill } from './tills.ts';
import type { SimTenant } from '../../../src/simulator/tenant-handle.ts';

let stage: Awaited<ReturnType<typeof openExploredStage>>;

beforeAll(async () => {
  stage = await openExploredStage();
});
afterAll(() => stage.close());

// A busy machine may let a client wait for longer than it does, and stay busy for a while.
const again = { retry: { count: 8, delay: 500 } };

describe('the list of client programs', () => {
  it('names each client once', () => {
    const names = [...wrongTills, ...rightClients, ...wrongQueues].map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  it('runs a function as a program too', again, async () => {
    const [till] = wrongTills;
    if (!till) throw new Error('there is no till');
    expect((await stage.judge(await stage.run(till))).verdict).toBe('PASS');
  });
});

type Defect = Pick<WrongTill, 'rules' | 'also' | 'why'>;

const known = new Map<string, Promise<SimTenant>>();

/** Returns the tenant of a run without faults, one for all runs of a client that are held against it. */
function referenceOf(client: ExploredClient): Promise<SimTenant> {
  const reference = known.get(client.name) ?? cleanRun(client);
  known.set(client.name, reference);
  // A test that begins anew needs another one.
  reference.catch(() => known.delete(client.name));
  return reference;
}

/** Runs a client again, at most three times, where a busy machine let it wait for longer than it does. */
async function cleanRun(client: ExploredClient, runs = 3): Promise<SimTenant> {
  const tenant = await (client.function ? stage.call(client) : stage.run(client));
  if (requestsOf(await stage.judge(tenant)) === client.calls) return tenant;
  if (runs > 1) return cleanRun(client, runs - 1);
  known.delete(client.name);
  return tenant;
}

/** Expects that a rule failed that is meant for a defect, and none that is not. */
function expectMeant({ rules, also = [], why }: Defect, failed: readonly string[]): void {
  expect(
    failed.some((rule) => rules.includes(rule)),
    `${why} Failed: ${failed.join(' ')}`,
  ).toBe(true);
  expect(failed.filter((rule) => ![...rules, ...also, 'state'].includes(rule))).toEqual([]);
}

describe('a till that is a function', () => {
  const tills = wrongTills.filter((till) => till.function !== undefined);

  it.concurrent.each(tills)('$name passes without faults', again, async (till) => {
    const verdict = await stage.judge(await referenceOf(till));
    expect([verdict.verdict, requestsOf(verdict)], verdict.reason).toEqual(['PASS', till.calls]);
  });

  it.concurrent.each(tills)('$name $defect', again, async (till) => {
    const reference = await referenceOf(till);
    const failed = failuresOf(await stage.judge(await stage.call(till, till.shownBy), reference));
    const { rules, also = [], why } = till;
    expect(
      failed.some((rule) => rules.includes(rule)),
      `${why} Failed: ${failed.join(' ')}`,
    ).toBe(true);
    expect(failed.filter((rule) => ![...rules, ...also, 'state'].includes(rule))).toEqual([]);
  });
});

const lacking = ({ needs = [] }: ExploredClient): string[] => needs.filter((need) => !has(need));
const titleOf = (client: ExploredClient, text: string): string =>
  `${client.name} ${text}${lacking(client).length > 0 ? ` (no ${lacking(client).join(', ')})` : ''}`;

describe('a right client, or a program', () => {
  const programs = wrongTills.filter((till) => till.function === undefined);
  for (const client of [...rightClients, ...programs, ...wrongQueues])
    it.skipIf(lacking(client).length > 0).concurrent(titleOf(client, 'passes without faults'), again, async () => {
      const verdict = await stage.judge(await referenceOf(client));
      expect([verdict.verdict, requestsOf(verdict)], verdict.reason).toEqual(['PASS', client.calls]);
    });

  for (const till of programs)
    it.skipIf(lacking(till).length > 0).concurrent(titleOf(till, till.defect), again, async () => {
      const reference = await referenceOf(till);
      const failed = failuresOf(await stage.judge(await stage.run(till, till.shownBy), reference));
      expectMeant(till, failed);
    });
});

describe('a queue over a restart', () => {
  const kills = wrongQueues.flatMap((queue) => queue.kills.map((kill) => ({ ...queue, ...kill })));

  it.concurrent.each(kills)('$name $defect: killed $at at $endpoint $occurrence', again, async (queue) => {
    const reference = await referenceOf(queue);
    const failed = failuresOf(await stage.judge(await stage.runKilled(queue, queue), reference));
    const { rules, also = [], why } = queue;
    expect(
      failed.some((rule) => rules.includes(rule)),
      `${why} Failed: ${failed.join(' ')}`,
    ).toBe(true);
    expect(failed.filter((rule) => ![...rules, ...also, 'state'].includes(rule))).toEqual([]);
  });
});
