/** The client programs that explorations are tried on: none fails without faults, and each defect shows as said beside it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failuresOf, openExploredStage, requestsOf } from './play.ts';
import { rightQueue, wrongQueues } from './queues.ts';
import { wrongTills } from './tills.ts';
import type { ExploredClient } from './tills.ts';
import type { SimTenant } from '../../../src/simulator/tenant-handle.ts';

let stage: Awaited<ReturnType<typeof openExploredStage>>;

beforeAll(async () => {
  stage = await openExploredStage();
});
afterAll(() => stage.close());

// A busy machine may let a client wait for longer than it does.
const again = { retry: 3 };

it('names each client once', () => {
  const names = [...wrongTills, rightQueue, ...wrongQueues].map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});

const known = new Map<string, Promise<SimTenant>>();

/** Returns the tenant of a run without faults, one for all runs of a client that are held against it. */
function referenceOf(client: ExploredClient): Promise<SimTenant> {
  const { name } = client;
  const reference = known.get(name) ?? (client.function ? stage.call(client) : stage.run(client));
  known.set(name, reference);
  reference.catch(() => known.delete(name));
  return reference;
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

describe('a program', () => {
  it.concurrent.each([rightQueue, ...wrongQueues])('$name passes without faults', again, async (client) => {
    if (!client) throw new Error('there is no till');
    const verdict = await stage.judge(await stage.run(client));
    expect([verdict.verdict, requestsOf(verdict)], verdict.reason).toEqual(['PASS', client.calls]);
  });
});

it('runs a function as a program too', again, async () => {
  const [till] = wrongTills;
  if (!till) throw new Error('there is no till');
  expect((await stage.judge(await stage.run(till))).verdict).toBe('PASS');
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
