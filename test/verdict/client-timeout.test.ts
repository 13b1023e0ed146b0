/** What a client has seen that declares how long it waits. */
import { expect, it } from 'vitest';
import { createSim } from '../../src/simulator/create-sim.ts';
import { on, openStage } from '../support/programs.ts';
import { sell } from './points/business.ts';
import { inTime } from '../support/in-time.ts';

it.each([
  ['none', undefined, 'INCONCLUSIVE', ['R2 inconclusive']],
  ['longer than the response took', '1s', 'FAIL', ['R2 fail']],
  ['about as long', '230ms', 'INCONCLUSIVE', ['R2 inconclusive']],
  ['shorter', '60ms', 'PASS', []],
])('judges the repeat of a slow success by a declared timeout: %s', inTime, async (_, timeout, verdict, findings) => {
  const policy = timeout === undefined ? {} : { policy: { timeout } };
  const stage = await openStage('over HTTP', {
    rules: [on('createReceipt', { phase: 'after', delay: 190 })],
    ...policy,
  });
  const send = stage.start({ connections: 0 });
  for (const pause of ['0s', '2s']) {
    await stage.wait(pause);
    await sell(send, 'till-1');
  }
  expect(await stage.judge()).toMatchObject({ verdict, findings });
});

it('does not believe a timeout after which the client went on by the same connection', inTime, async () => {
  const rules = [on('createReceipt', { phase: 'after', delay: 190 })];
  const { send, wait, judge } = await openStage('over HTTP', { rules, policy: { timeout: '60ms' } });
  await sell(send, 'till-1');
  await wait('2s');
  await sell(send, 'till-1');
  expect(await judge()).toMatchObject({ verdict: 'FAIL', findings: ['R2 fail'] });
});

it('refuses a timeout of nothing', async () => {
  await expect(createSim({ policy: { timeout: 0 } })).rejects.toThrow('policy.timeout: must be longer than 0');
});

it('leaves open whether a client comes back that still waits for a response', inTime, async () => {
  const rules = [on('createReceipt', { respond: 'none', end: 'hang' })];
  const { sim, start, judge } = await openStage('over HTTP', { rules });
  const sent = sell(start(), 'till-1');
  await expect.poll(() => [...sim.tenants.default.journal.exchanges()][0]?.finishedAt).toBeDefined();
  const { verdict, text } = await judge();
  expect([verdict, text]).toEqual(['INCONCLUSIVE', expect.stringContaining('its client still waits for the response')]);
  await sim.close();
  await sent;
});
