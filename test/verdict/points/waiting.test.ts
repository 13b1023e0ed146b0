/** What a client waits for when it is judged, what it has dropped for good, and what time proves. */
import { describe, expect, it } from 'vitest';
import { lost, on, openStage, ways } from '../../support/programs.ts';
import type { Stage } from '../../support/programs.ts';
import { coupons, person, sell, writes } from './business.ts';
import { astrid } from '../../support/people.ts';
import { inTime } from '../../support/in-time.ts';

/** Sends a receipt, and again after each of these pauses. */
async function sellWith({ send, wait }: Stage, key: string, pauses: readonly string[]): Promise<void> {
  await sell(send, key);
  for (const pause of pauses) {
    await wait(pause);
    await sell(send, key);
  }
}

const backoff = { maxAttempts: 4, minBackoff: ['10s', '20s', '40s'] };

describe.each(ways)('%s, the verdict', inTime, (way) => {
  it.each([
    ['once', [504], []],
    ['twice', [504, 504], ['10s']],
  ])('leaves open a receipt that was tried %s while its client may still wait', async (_, faults, pauses) => {
    const stage = await openStage(way, { rules: [on('createReceipt', ...faults)], policy: backoff });
    await sellWith(stage, 'till-1', pauses);
    await stage.wait('15s');
    const { verdict, reason } = await stage.judge();
    expect(verdict).toBe('INCONCLUSIVE');
    expect(reason).toMatch(/pause|wait/i);
  });

  it.each([
    ['once', [504], [], 'R1'],
    ['twice', [504, 504], ['10s'], 'R9'],
  ])('fails a receipt that was tried %s when every declared pause is over', async (_, faults, pauses, rule) => {
    const stage = await openStage(way, { rules: [on('createReceipt', ...faults)], policy: backoff });
    await sellWith(stage, 'till-1', pauses);
    await stage.wait('200s');
    expect(await stage.judge()).toMatchObject({ failedBy: [rule], verdict: 'FAIL' });
  });

  it('leaves open what may wait as long as the client has waited before', async () => {
    const stage = await openStage(way, { rules: [on('createReceipt', 504, 504, 'ok', 504, 504)] });
    await sellWith(stage, 'till-1', ['1s', '30s']);
    await sellWith(stage, 'till-2', ['1s']);
    await stage.wait('10s');
    const { verdict, reason } = await stage.judge();
    expect(verdict).toBe('INCONCLUSIVE');
    expect(reason).toMatch(/pause|wait/i);
  });

  it('fails what has waited longer than the client has ever waited', async () => {
    const stage = await openStage(way, { rules: [on('createReceipt', 504, 504, 'ok', 504, 504)] });
    await sellWith(stage, 'till-1', ['1s', '30s']);
    await sellWith(stage, 'till-2', ['1s']);
    await stage.wait('40s');
    expect(await stage.judge()).toMatchObject({ failedBy: ['R9'], verdict: 'FAIL' });
  });

  describe.each([503, 429])('on a receipt that got %i and is never sent again,', (status) => {
    const rules = [on('createReceipt', status)];
    const dropped = async (policy?: object): Promise<Stage> => {
      const stage = await openStage(way, { rules, ...(policy && { policy }) });
      await sell(stage.send, 'till-1');
      await stage.wait('1h');
      await sell(stage.send, 'till-2', { totalGrossPrice: 99 });
      return stage;
    };

    it('fails the client: the specification asks for a local fallback', async () => {
      const { judge } = await dropped();
      const { verdict, text } = await judge();
      expect(verdict).toBe('FAIL');
      expect(text).toContain('fallback');
    });

    it('fails a client whose policy says that giving up is a failure', async () => {
      expect(await (await dropped({ giveUp: 'fail' })).judge()).toMatchObject({ verdict: 'FAIL' });
    });

    it('notes it of a client whose policy says that a person is notified', async () => {
      const { verdict, findings } = await (await dropped({ giveUp: 'note' })).judge();
      expect({ verdict, findings }).toEqual({ verdict: 'PASS', findings: [expect.stringMatching(/^R\d+ note$/)] });
    });

    it('passes a client that sends it again after a pause', async () => {
      const stage = await openStage(way, { rules });
      await sellWith(stage, 'till-1', ['5s']);
      expect(await stage.judge()).toMatchObject({ findings: [], verdict: 'PASS' });
    });

    it('notes a read that is given up', async () => {
      const { send, wait, judge } = await openStage(way, { rules: [on('listPromotionAssignments', status)] });
      await coupons(send, astrid);
      await wait('1h');
      expect(await judge()).toMatchObject({ findings: ['R1 note'], verdict: 'PASS' });
    });
  });

  it.each(writes.filter(({ endpoint }) => /add|award|createContact/.test(endpoint)))(
    'does not wait for the work of $what whose slow 504 comes before any',
    async ({ endpoint, write, look }) => {
      const { start, wait, judge } = await openStage(way, { rules: [on(endpoint, { delay: '60s', status: 504 })] });
      const send = start({ timeout: 300 });
      await write(send);
      await wait('2s');
      await look(send);
      await write(send);
      expect(await judge()).toMatchObject({ findings: [], verdict: 'PASS' });
    },
  );

  it('does not wait for a 504 that the client of a receipt has hung up on', async () => {
    const { start, wait, judge } = await openStage(way, {
      rules: [on('createReceipt', { delay: '60s', status: 504 })],
    });
    const send = start({ timeout: 300 });
    await sell(send, 'till-1');
    await wait('2s');
    await sell(send, 'till-1');
    expect(await judge()).toMatchObject({ findings: [], verdict: 'PASS' });
  });

  it('waits for a slow response whose work may still be done', async () => {
    const { start, wait, judge } = await openStage(way, { rules: [on('createReceipt', { delay: '60s' })] });
    const send = start({ timeout: 300 });
    await sell(send, 'till-1');
    await wait('2s');
    await sell(send, 'till-1');
    expect((await judge()).failedBy).toEqual([]);
  });

  it('passes a client that waits for a slow 504 and repeats', async () => {
    const { send, wait, judge } = await openStage(way, { rules: [on('createReceipt', { delay: 200, status: 504 })] });
    await sell(send, 'till-1');
    await wait('2s');
    await sell(send, 'till-1');
    expect(await judge()).toMatchObject({ findings: [], verdict: 'PASS' });
  });
});

describe('the verdict on a client that opens a connection for each request and repeats a slow success', inTime, () => {
  const rules = [on('createReceipt', { phase: 'after', delay: 150 })];
  const repeating = async (policy?: object): Promise<Stage> => {
    const stage = await openStage('over HTTP', { rules, ...(policy && { policy }) });
    const send = stage.start({ connections: 0 });
    await sell(send, 'till-1');
    await stage.wait('2s');
    await sell(send, 'till-1');
    return stage;
  };

  it('is open when nothing tells how long it waits', async () => {
    expect(await (await repeating()).judge()).toMatchObject({ failedBy: [], verdict: 'INCONCLUSIVE' });
  });

  it('is certain when the response came within its declared timeout', async () => {
    expect(await (await repeating({ timeout: '5s' })).judge()).toMatchObject({ failedBy: ['R2'], verdict: 'FAIL' });
  });

  it('is PASS when its declared timeout was over before the response came', async () => {
    expect(await (await repeating({ timeout: '100ms' })).judge()).toMatchObject({ failedBy: [], verdict: 'PASS' });
  });
});

describe('the verdict', () => {
  it('passes a client whose response was lost and that repeats after its pause', inTime, async () => {
    const { send, wait, judge } = await openStage('over HTTP', { rules: [on('createReceipt', lost)] });
    await sell(send, 'till-1');
    await person(send, astrid);
    await wait('1s');
    await sell(send, 'till-1');
    expect(await judge()).toMatchObject({ findings: [], verdict: 'PASS' });
  });
});
