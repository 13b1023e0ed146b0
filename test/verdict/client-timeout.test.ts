/** What a client has seen that declares how long it waits. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createSim } from '../../src/simulator/create-sim.ts';
import { on, openStage } from '../support/programs.ts';
import { sell } from './points/business.ts';
import { inTime, notePause } from '../support/in-time.ts';
import { findingsOf } from '../support/judged.ts';
import { openSimOnPort } from '../support/open-sim-on-port.ts';
import { receiptOf } from '../support/receipt.ts';
import { astrid } from '../support/people.ts';
import { isComplete, openWire, rawRequest } from '../support/wire.ts';

/** Delays a response, in ms. */
const delayed = 190;

describe('the verdict on clients with a declared timeout', () => {
  it.each([
    ['none', undefined, 'INCONCLUSIVE', ['R2 inconclusive']],
    ['longer than the response took', '1s', 'FAIL', ['R2 fail']],
    ['about as long', '230ms', 'INCONCLUSIVE', ['R2 inconclusive']],
    ['shorter', '60ms', 'PASS', []],
  ])('judges the repeat of a slow success by a declared timeout: %s', inTime, async (_, timeout, verdict, findings) => {
    const policy = timeout === undefined ? {} : { policy: { timeout } };
    const stage = await openStage('over HTTP', {
      rules: [on('createReceipt', { phase: 'after', delay: delayed })],
      ...policy,
    });
    const send = stage.start({ connections: 0 });
    for (const pause of ['0s', '2s']) {
      await stage.wait(pause);
      await sell(send, 'till-1');
    }
    for (const { startedAt, finishedAt = 0, fault } of stage.sim.tenants.default.journal.exchanges())
      notePause(finishedAt - startedAt - (fault ? delayed : 0));
    const judged = await stage.judge();
    expect(judged, judged.text).toMatchObject({ verdict, findings });
  });

  it('does not believe a timeout after which the client went on by the same connection', inTime, async () => {
    const rules = [on('createReceipt', { phase: 'after', delay: delayed })];
    const { send, wait, judge } = await openStage('over HTTP', { rules, policy: { timeout: '60ms' } });
    await sell(send, 'till-1');
    await wait('2s');
    await sell(send, 'till-1');
    expect(await judge()).toMatchObject({ verdict: 'FAIL', findings: ['R2 fail'] });
  });

  it.each([
    ['a response that it may not have read', { timeout: 600, held: 300, delay: 0 }],
    ['a response that came too late', { timeout: 450, held: 300, delay: 200 }],
  ])(
    'counts a timeout from the opening of a connection that was opened for the request: %s',
    inTime,
    async (_, one) => {
      expect(await repeatAfterTimeout(one)).toEqual(['R2 inconclusive']);
    },
  );

  it('refuses a timeout of nothing', async () => {
    await expect(createSim({ policy: { timeout: 0 } })).rejects.toThrow('policy.timeout: must be longer than 0');
  });

  it('leaves open whether a client comes back that still waits for a response', inTime, async () => {
    const rules = [on('createReceipt', { respond: 'none', end: 'hang' })];
    const { sim, start, judge } = await openStage('over HTTP', { rules });
    const sent = sell(start(), 'till-1');
    await expect.poll(() => [...sim.tenants.default.journal.exchanges()][0]?.finishedAt).toBeDefined();
    const { verdict, text } = await judge();
    expect([verdict, text]).toEqual([
      'INCONCLUSIVE',
      expect.stringContaining('its client still waits for the response'),
    ]);
    await sim.close();
    await sent;
  });
});

interface Late {
  readonly timeout: number;
  /** How long it takes to send its request after its clock has started and its connection is open. */
  readonly held: number;
  readonly delay: number;
}

/** Gives up as its timeout ends, and sends its request again. A machine that is held up may take longer: then it plays anew. */
async function repeatAfterTimeout({ timeout, held, delay }: Late): Promise<string[]> {
  for (;;) {
    const rules = [on('createReceipt', { respond: 'status', status: 403, delay })];
    const client = await openSimOnPort({ scenario: { policy: { timeout }, rules } });
    const send = rawRequest('POST', '/api/v3/receipts', receiptOf(astrid, 'till-1'));
    const first = openWire(client.port);
    await first.opened;
    const opened = performance.now();
    await sleep(held);
    first.write(send);
    const sent = performance.now() - opened;
    await first.until(isComplete);
    await sleep(Math.max(0, timeout - (performance.now() - opened)));
    // Who has given up before does not wait for the response, which closes nothing.
    if (held + delay < timeout) first.close();
    const second = openWire(client.port);
    second.write(send);
    await second.until(isComplete);
    const found = await findingsOf(client);
    first.close();
    if (sent < timeout * 0.9) return found;
  }
}
