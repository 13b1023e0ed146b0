/** A simulator that was kept from working sees calls late, and finds no fault with a client for that. */
import { expect, it } from 'vitest';
import { createSim } from '../../src/simulator/create-sim.ts';
import { scenarios } from '../clients/mutants.mjs';
import { realPauses, realPolicy } from '../clients/shipped.mjs';
import { dayOf, referenceTill } from '../support/clients.ts';
import { advance, messagesOf, sendReceipt } from '../support/judged.ts';
import { receiptOf } from '../support/receipt.ts';
import { isComplete, openWire, rawRequest } from '../support/wire.ts';
import { astrid } from '../support/people.ts';
import { openFailingSim } from '../support/open-sim.ts';

/** Nothing else in this process gets its turn. */
function standStill(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

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

const severe = scenarios.filter(({ rule }) => ['R10', 'R11'].includes(rule));

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
  await client.sim.listen();
  await sendReceipt(client, 'till-1');
  await advance(client, '59s');
  standStill(1200);
  await sendReceipt(client, 'till-1');
  const [message] = await messagesOf(client);
  await client.sim.close();
  expect(message).toMatch(/^R6: .* was repeated after 59\.0 s; .*; but the simulator itself was .* late then$/);
});

it('says that it was late itself when a receipt is repeated whose response came late', async () => {
  const sim = await createSim();
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
