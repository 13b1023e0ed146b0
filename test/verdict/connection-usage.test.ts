/** What connections tell of what a client could know when it sent a call. */
import { afterEach, describe, expect, it } from 'vitest';
import type { ScenarioInput } from '../../src/scenario/scenario-schema.ts';
import type { Sim } from '../../src/simulator/sim.ts';
import { receiptOf } from '../support/receipt.ts';
import { isComplete, openWire, rawRequest } from '../support/wire.ts';
import type { Wire } from '../support/wire.ts';
import { astrid } from '../support/people.ts';
import { inTime, noteLateness } from '../support/in-time.ts';
import { startSim } from '../support/open-sim.ts';

let sim: Sim;

afterEach(() => sim.close());

async function openPort(rules: ScenarioInput['rules'] = []): Promise<number> {
  sim = await startSim({ scenario: { rules } });
  return (await sim.listen()).port;
}

const findings = async (): Promise<string[]> =>
  noteLateness(await sim.verdict()).operations.flatMap((operation) =>
    operation.findings.map(({ rule, level }) => `${rule} ${level}`),
  );

const row = { contactId: astrid, definitionId: 1, amount: 5, source: 'Adjustment', description: 'x' };
const points = rawRequest('POST', '/api/v3/point-accounts/transactions', [row]);
const receipt = rawRequest('POST', '/api/v3/receipts', receiptOf(astrid, 'till-1'));

const has = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
};

const journal = () => [...sim.tenants.default.journal.exchanges()];
const isBegun = (count: number): Promise<void> => has(() => journal().length >= count);
const isOver = (number: number): Promise<void> => has(() => journal()[number - 1]?.finishedAt !== undefined);

/** Sends a call and waits for its answer, or for the end of the connection. */
async function call(wire: Wire, request: string): Promise<void> {
  const before = wire.heard().length;
  wire.write(request);
  await wire.until((heard) => isComplete(heard.subarray(before))).catch(() => {});
}

describe('the verdict by connections', () => {
  it('lets a client do the same twice, by one connection or by two', inTime, async () => {
    const port = await openPort();
    const [one, other] = [openWire(port), openWire(port)];
    await call(one, points);
    await call(one, points);
    await call(other, points);
    await call(openWire(port), points);
    expect(await findings()).toEqual([]);
  });

  it('takes a call for over when its caller hangs up, though its work is still to be done', inTime, async () => {
    const port = await openPort([{ match: { endpoint: 'createReceipt' }, fault: [{ phase: 'after', delay: '10s' }] }]);
    const wire = openWire(port);
    wire.write(receipt);
    await isBegun(1);
    wire.close();
    await call(openWire(port), receipt);
    expect(await findings()).toEqual([]);
  });

  it('knows that nobody waits for the end of a connection that spoke no HTTP', inTime, async () => {
    const port = await openPort([
      { match: { endpoint: 'createReceipt' }, fault: [{ respond: 'garbage', end: 'reset' }] },
    ]);
    const wire = openWire(port);
    wire.write(receipt);
    await wire.until((heard) => heard.length > 0);
    await call(openWire(port), receipt);
    await wire.ended;
    expect(await findings()).toEqual([]);
  });
});

it('the verdict leaves open who sent the same twice at once, by two connections', inTime, async () => {
  const port = await openPort([{ match: { endpoint: 'addPointTransactions' }, fault: [{ delay: '2s' }] }]);
  await Promise.all([call(openWire(port), points), call(openWire(port), points)]);
  expect(await findings()).toEqual(['R8 inconclusive', 'R10 inconclusive']);
});

it('the verdict is sure of a repeat by the connection on which the response came', inTime, async () => {
  const port = await openPort([{ match: { endpoint: 'createReceipt' }, fault: [{ phase: 'after', delay: '150ms' }] }]);
  const wire = openWire(port);
  await call(wire, receipt);
  await call(wire, receipt);
  expect(await findings()).toEqual(['R2 fail']);
});

it.each([
  ['came when the caller may just have given up', { phase: 'after', delay: '150ms' }],
  ['may have gone with its connection', { phase: 'after', respond: 'full', end: 'reset' }],
] as const)('the verdict is not sure that an answer was heard that %s', inTime, async (_, fault) => {
  const port = await openPort([{ match: { endpoint: 'createReceipt' }, fault: [fault] }]);
  const wire = openWire(port);
  await call(wire, receipt);
  await call(openWire(port), receipt);
  await isOver(1);
  expect(await findings()).toEqual(['R2 inconclusive']);
});

const nobody = rawRequest('GET', '/api/v3/contacts/id?email=nobody@example.com');

it('the verdict is sure that one program looks again in vain when it does so by one connection', inTime, async () => {
  const port = await openPort();
  const wire = openWire(port);
  await call(wire, nobody);
  await call(openWire(port), nobody);
  expect(await findings()).toEqual(['R2 note']);
  await call(wire, nobody);
  expect(await findings()).toEqual(['R2 fail']);
});

const stores = rawRequest('GET', '/api/v3/stores');
const busy: ScenarioInput['rules'] = [
  { match: { endpoint: 'listStores' }, fault: [{ delay: '3s' }] },
  { match: { endpoint: 'addPointTransactions' }, fault: [{ phase: 'after', respond: 'none', end: 'reset' }] },
];

it.each([
  ['is sure, where nobody else can have', 2, ['R10 fail', 'R11 fail']],
  ['is not sure, where two others may have', 3, ['R10 inconclusive', 'R11 inconclusive']],
])('the verdict %s repeated what was lost while several calls were made at once', inTime, async (_, count, found) => {
  const port = await openPort(busy);
  const slow = call(openWire(port), stores);
  // An HTTP library would repeat the very same.
  for (let i = 0; i < count; i++) await call(openWire(port), points.replace('test', `test\r\nx-attempt: ${i}`));
  await slow;
  expect(await findings()).toEqual(found);
});
