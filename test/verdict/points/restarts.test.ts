/** A till is restarted, a container dies: what the verdict says of the same client before and after. */
import { describe, expect, it } from 'vitest';
import { astrid } from '../../support/people.ts';
import { lost, on, openStage } from '../../support/programs.ts';
import type { Program, Send, Stage } from '../../support/programs.ts';
import { addPoints, person, sell } from './business.ts';
import { inTime } from '../../support/in-time.ts';

/** Three ways to say that it is the same client: by its own header, by one that the policy names, by its user agent. */
const identities = [
  { by: 'x-sim-client', policy: {}, options: { headers: { 'x-sim-client': 'till-7' } } },
  { by: 'a header of the policy', policy: { clientHeader: 'x-till' }, options: { headers: { 'x-till': '7' } } },
] as const;

const other = { headers: { 'x-sim-client': 'till-8', 'x-till': '8' } } as const;

/** Tries a receipt twice, and gives up. */
async function giveUp({ wait }: Stage, send: Send, key: string): Promise<void> {
  await sell(send, key);
  await wait('2s');
  await sell(send, key);
}

/** The process dies, and comes back ten seconds later. */
async function restart(stage: Stage, program: Program, options: Parameters<Stage['start']>[0]): Promise<Program> {
  await program.kill();
  await stage.wait('10s');
  return stage.start(options);
}

describe.each(identities)('on a client that declares itself by $by, the verdict', inTime, ({ policy, options }) => {
  const failing = (count: number) => ({ rules: [on('createReceipt', ...Array<number>(count).fill(504))], policy });

  it('passes who delivers after a restart what was in its queue', async () => {
    const stage = await openStage('over HTTP', failing(2));
    const program = stage.start(options);
    await giveUp(stage, program, 'till-1');
    const again = await restart(stage, program, options);
    await sell(again, 'till-1');
    await sell(again, 'till-2', { totalGrossPrice: 99 });
    expect(await stage.judge()).toMatchObject({ findings: [], verdict: 'PASS' });
  });

  it('fails who has lost over a restart what was in its queue', async () => {
    const stage = await openStage('over HTTP', failing(2));
    const program = stage.start(options);
    await giveUp(stage, program, 'till-1');
    const again = await restart(stage, program, options);
    await sell(again, 'till-2', { totalGrossPrice: 99 });
    await stage.wait('10m');
    const { verdict, failedBy } = await stage.judge();
    expect(verdict).toBe('FAIL');
    expect(failedBy).toContain('R13');
  });

  it('does not take another client for the same that has lost its queue', async () => {
    const stage = await openStage('over HTTP', failing(2));
    const program = stage.start(options);
    await giveUp(stage, program, 'till-1');
    await program.kill();
    const neighbour = stage.start(other);
    await sell(neighbour, 'till-2', { totalGrossPrice: 99 });
    await stage.wait('10m');
    expect((await stage.judge()).failedBy).not.toContain('R13');
  });

  it('fails who adds unkeyed points again after a restart', async () => {
    const stage = await openStage('over HTTP', { policy });
    const program = stage.start(options);
    await addPoints(program);
    const again = await restart(stage, program, options);
    await addPoints(again);
    await person(again, astrid);
    const { verdict, failedBy } = await stage.judge();
    expect(verdict).toBe('FAIL');
    expect(failedBy).toContain('R14');
  });

  it('fails who sells again under a new key after a restart what was sold', async () => {
    const stage = await openStage('over HTTP', { policy });
    const program = stage.start(options);
    await person(program, astrid);
    await sell(program, 'till-1');
    const again = await restart(stage, program, options);
    await person(again, astrid);
    await sell(again, 'till-2');
    const { verdict, failedBy } = await stage.judge();
    expect(verdict).toBe('FAIL');
    expect(failedBy).toContain('R14');
  });

  it('passes two clients that sell the same under keys of their own', async () => {
    const stage = await openStage('over HTTP', { policy });
    const program = stage.start(options);
    await sell(program, 'till-1');
    await program.kill();
    await stage.wait('10s');
    await sell(stage.start(other), 'till-2');
    expect(await stage.judge()).toMatchObject({ failedBy: [], verdict: 'PASS' });
  });

  it('notes only that a queue delivers again after a restart, under the same key, what was delivered', async () => {
    const stage = await openStage('over HTTP', failing(1));
    const program = stage.start(options);
    await sell(program, 'till-1');
    await stage.wait('2s');
    await sell(program, 'till-1');
    const again = await restart(stage, program, options);
    await sell(again, 'till-1');
    await sell(again, 'till-2', { totalGrossPrice: 99 });
    const { verdict, failedBy, findings } = await stage.judge();
    expect({ verdict, failedBy }).toEqual({ verdict: 'PASS', failedBy: [] });
    expect(findings).toHaveLength(1);
  });
});

describe('on a client that declares nothing, the verdict', inTime, () => {
  it('passes who delivers after a restart what was in its queue', async () => {
    const stage = await openStage('over HTTP', { rules: [on('createReceipt', lost, 504)] });
    const program = stage.start();
    await giveUp(stage, program, 'till-1');
    const again = await restart(stage, program, {});
    await sell(again, 'till-1');
    expect(await stage.judge()).toMatchObject({ failedBy: [], verdict: 'PASS' });
  });

  it('leaves open whether unkeyed points were meant twice that come again by another connection', async () => {
    const stage = await openStage('over HTTP');
    const program = stage.start();
    await addPoints(program);
    const again = await restart(stage, program, {});
    await addPoints(again);
    await person(again, astrid);
    expect(await stage.judge()).toMatchObject({ failedBy: [], verdict: 'INCONCLUSIVE' });
  });

  it('does not fail who sells the same under another key by another connection', async () => {
    const stage = await openStage('over HTTP');
    const program = stage.start();
    await sell(program, 'till-1');
    await sell(await restart(stage, program, {}), 'till-2');
    expect((await stage.judge()).failedBy).toEqual([]);
  });

  it('does not fail a queue that delivers again under the same key what was delivered', async () => {
    const stage = await openStage('over HTTP');
    const program = stage.start();
    await sell(program, 'till-1');
    const again = await restart(stage, program, {});
    await sell(again, 'till-1');
    expect(await stage.judge()).toMatchObject({ failedBy: [], verdict: 'PASS' });
  });
});
