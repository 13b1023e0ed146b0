/** A simulator that was kept from working sees calls late, and finds no fault with a client for that. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { lagMonitor } from '../../src/core/time/event-loop-lag.ts';
import { scenarios } from '../clients/mutants.mjs';
import { realPauses, realPolicy } from '../clients/shipped.mjs';
import { dayOf, referenceTill } from '../support/clients.ts';
import { advance, findingsOf, messagesOf, sendReceipt } from '../support/judged.ts';
import { inTime, notePause } from '../support/in-time.ts';
import { receiptOf } from '../support/receipt.ts';
import { isComplete, openWire, rawRequest } from '../support/wire.ts';
import { astrid, bo } from '../support/people.ts';
import { openFailingSim, startSim } from '../support/open-sim.ts';
import { openSimOnPort } from '../support/open-sim-on-port.ts';

/** Nothing else in this process gets its turn. */
function standStill(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

const afterCommit = { phase: 'after', respond: 'none', end: 'reset' } as const;

const severe = scenarios.filter(({ rule }) => ['R10', 'R11'].includes(rule));

const postReceipt = (url: string): Promise<unknown> =>
  fetch(`${url}/api/v3/receipts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(receiptOf(astrid, 'till-1')),
  }).then((response) => response.text());

describe('the verdict of a late simulator', () => {
  it.each(['updateContact', 'createReceipt', 'addPointTransactions', 'listPointAccounts'])(
    'fails nobody who gives a call up because the simulator stands still after %s',
    async (after) => {
      let stalls = 0;
      const { verdict, reason } = await dayOf(referenceTill, {
        ...realPauses,
        scenario: {},
        timeout: 100,
        onRequest: (_, { endpoint }) => {
          if (endpoint === after && stalls++ === 0) setImmediate(() => standStill(500));
        },
      });
      expect(stalls).toBeGreaterThan(0);
      expect(verdict, reason).not.toBe('FAIL');
    },
  );

  it.each(severe)('fails nobody while it stands still again and again, where another $name', async (day) => {
    const timer = setInterval(() => standStill(150), 250);
    try {
      const scenario = { ...day.scenario, policy: realPolicy };
      const { verdict, reason } = await dayOf(referenceTill, { ...day, ...realPauses, scenario, timeout: 120 });
      expect(verdict, reason).not.toBe('FAIL');
    } finally {
      clearInterval(timer);
    }
  });

  it('says that it was late itself when a pause is short by less than that', async () => {
    const client = await openFailingSim({ createReceipt: [504] }, { minBackoff: '60s' });
    const { url } = await client.sim.listen();
    await postReceipt(url);
    await advance(client, '59s');
    standStill(1200);
    await postReceipt(url);
    const [message] = await messagesOf(client);
    await client.sim.close();
    // Other tests begin anew by these words.
    expect(message).toMatch(inTime.retry.condition);
    expect(message).toMatch(/^R6: .* was repeated after 59\.0 s; .*; but the simulator itself was .* late then$/);
  });

  it('fails a client in process for a pause that is short, as that stands still together with it', async () => {
    const client = await openFailingSim({ createReceipt: [504] }, { minBackoff: '60s' });
    await client.sim.listen();
    await sendReceipt(client, 'till-1');
    await advance(client, '59s');
    standStill(1200);
    await sendReceipt(client, 'till-1');
    expect(await findingsOf(client)).toEqual(['R6 fail']);
    await client.sim.close();
  });

  it('is not late because a test framework holds all timers', async () => {
    onTestFinished(lagMonitor.watch());
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const end = performance.now() + 100;
    while (performance.now() < end) await new Promise(setImmediate);
    vi.useRealTimers();
    await expect.poll(() => lagMonitor.lagBetween(performance.now(), performance.now())).toBe(0);
  });

  it('says that it was late itself when a receipt is repeated whose response came late', async () => {
    const sim = await startSim();
    const { port } = await sim.listen();
    const [wire, other] = [openWire(port), openWire(port)];
    const receipt = rawRequest('POST', '/api/v3/receipts', receiptOf(astrid, 'till-1'));
    for (const one of [wire, other]) {
      one.write(rawRequest('GET', '/api/v3/stores'));
      await one.until(isComplete);
    }
    const read = wire.heard().length;
    wire.write(receipt);
    standStill(500);
    await wire.until((heard) => isComplete(heard.subarray(read)));
    const readByOther = other.heard().length;
    other.write(receipt);
    await other.until((heard) => isComplete(heard.subarray(readByOther)));
    const { verdict, reason } = await sim.verdict();
    for (const one of [wire, other]) one.close();
    await sim.close();
    expect({ verdict, reason }).toEqual({
      verdict: 'INCONCLUSIVE',
      reason: expect.stringMatching(/the simulator itself was .* late then/),
    });
  });

  it(
    'says that it was late itself when a proxy may have repeated a write only for that, after a look',
    inTime,
    async () => {
      const { sim, port } = await openSimOnPort({
        scenario: { rules: [{ match: { endpoint: 'addPointTransactions' }, fault: afterCommit, times: 1 }] },
      });
      const proxied = ['via: 1.1 proxy', 'user-agent: desk'];
      const row = { contactId: astrid, definitionId: 1, amount: 50, description: 'Style evening' };
      const write = rawRequest('POST', '/api/v3/point-accounts/transactions', [row], ...proxied);
      const first = openWire(port);
      first.write(write);
      await first.ended;
      standStill(400);
      const from = performance.now();
      const wire = openWire(port);
      wire.write(rawRequest('GET', `/api/v3/point-accounts?contactId=${bo}`, undefined, ...proxied));
      await wire.until(isComplete);
      // The pause is longer than the time that it stood still, but not by more than that.
      await sleep(60);
      notePause(performance.now() - from - 60);
      const read = wire.heard().length;
      wire.write(write);
      await wire.until((heard) => isComplete(heard.subarray(read)));
      const { reason } = await sim.verdict();
      wire.close();
      expect(reason).toMatch(/R11: .*; but the simulator itself was .* late then, and the HTTP library or a proxy/);
    },
  );

  it('leaves open a second look after 404, between which a write may have been given up before it arrived', async () => {
    const { sim, port } = await openSimOnPort({ scenario: {} });
    const wire = openWire(port);
    const look = async (): Promise<void> => {
      const read = wire.heard().length;
      wire.write(rawRequest('GET', '/api/v3/contacts/id?email=nobody@example.com'));
      await wire.until((heard) => isComplete(heard.subarray(read)));
    };
    await look();
    standStill(300);
    await look();
    const { verdict, reason } = await sim.verdict();
    wire.close();
    expect({ verdict, reason }).toEqual({
      verdict: 'INCONCLUSIVE',
      reason: expect.stringMatching(/the simulator itself was .* late then, and may have missed a write in between/),
    });
  });

  it('fails another sale under a key that is used up, whether its client has seen the response before or not', async () => {
    const { sim, port } = await openSimOnPort({
      scenario: { rules: [{ match: { endpoint: 'createReceipt' }, fault: { delay: '50ms' } }] },
    });
    for (const totalGrossPrice of [249, 99]) {
      const wire = openWire(port);
      wire.write(rawRequest('POST', '/api/v3/receipts', receiptOf(astrid, 'till-1', { totalGrossPrice })));
      // While the response waits.
      await sleep(20);
      standStill(300);
      await wire.until(isComplete);
      wire.close();
    }
    const { verdict, operations } = await sim.verdict();
    expect([verdict, ...operations.flatMap(({ findings }) => findings.map(({ rule }) => rule))]).toEqual([
      'FAIL',
      'R4',
    ]);
  });

  it('leaves open a failure whose client may still wait, as it may be as late as the simulator', async () => {
    const { sim, url } = await openSimOnPort({
      scenario: { rules: [{ match: { endpoint: 'createReceipt' }, fault: 504 }] },
      policy: { minBackoff: '300ms' },
    });
    await postReceipt(url);
    standStill(500);
    const { verdict, reason } = await sim.verdict();
    expect({ verdict, reason }).toEqual({
      verdict: 'INCONCLUSIVE',
      reason: expect.stringMatching(
        /its longest pause is 300 ms \(declared\), and the simulator itself was .* late then/,
      ),
    });
  });

  it('is late itself when it sees a storm long after it was sent', async () => {
    const rules = [{ match: { endpoint: 'createReceipt' }, fault: Array<504>(12).fill(504) }];
    const { sim, port } = await openSimOnPort({ scenario: { rules } });
    const receipts = Array.from({ length: 12 }, (_, i) =>
      rawRequest('POST', '/api/v3/receipts', receiptOf(astrid, `till-${i}`, { totalGrossPrice: i })),
    );
    const wires = receipts.map(() => openWire(port));
    const send = async (i: number): Promise<void> => {
      const read = wires[i]?.heard().length ?? 0;
      wires[i]?.write(receipts[i] ?? '');
      await wires[i]?.until((heard) => isComplete(heard.subarray(read)));
    };
    for (const i of receipts.keys()) await send(i);
    await send(0);
    standStill(1200);
    await Promise.all([...receipts.keys()].slice(1).map(send));
    const { verdict, reason } = await sim.verdict();
    expect({ verdict, reason }).toEqual({
      verdict: 'INCONCLUSIVE',
      reason: expect.stringMatching(/R12: .*, 11 of them at once; but the simulator itself was .* late then/),
    });
  });

  it('is sure of a response that came late, but well within the timeout that the client declares', async () => {
    const { sim, port } = await openSimOnPort({ policy: { timeout: '1h' } });
    const receipt = rawRequest('POST', '/api/v3/receipts', receiptOf(astrid, 'till-1'));
    for (let i = 0; i < 2; i++) {
      const wire = openWire(port);
      wire.write(receipt);
      standStill(300);
      await wire.until(isComplete);
    }
    expect((await sim.verdict()).verdict).toBe('FAIL');
  });
});
