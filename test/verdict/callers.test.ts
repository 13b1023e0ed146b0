/** Tells who sent a request: by a declared id, else by program and connection. */
import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../src/core/exchange/exchange.ts';
import { finish } from '../../src/core/time/steps.ts';
import { Callers } from '../../src/verdict/history/callers.ts';
import { createSim } from '../../src/simulator/create-sim.ts';
import { advance, findingsOf, sendReceipt } from '../support/judged.ts';
import { astrid } from '../support/people.ts';
import { openFailingSim, openSim } from '../support/open-sim.ts';

interface Sent {
  readonly connection?: number;
  readonly key?: string;
  readonly [header: string]: string | number | undefined;
}

const sent = ({ connection, key, ...headers }: Sent): Exchange =>
  ({
    request: { headers },
    keyDigest: key,
    connection: connection === undefined ? undefined : { id: connection },
  }) as unknown as Exchange;

describe('the distinction of callers', () => {
  it.each<[string, Sent, Sent, string]>([
    ['one declared id', { 'x-sim-client': 'a', connection: 1 }, { 'x-sim-client': 'a', connection: 2 }, 'same'],
    ['two declared ids', { 'x-sim-client': 'a', connection: 1 }, { 'x-sim-client': 'b', connection: 1 }, 'other'],
    ['one that declares itself, and one that does not', { 'x-sim-client': 'a' }, {}, 'unknown'],
    ['one id in two programs', { 'x-sim-client': 'a', 'user-agent': 'x' }, { 'x-sim-client': 'a' }, 'same'],
    ['two programs', { 'user-agent': 'x' }, { 'user-agent': 'y' }, 'other'],
    ['two API keys', { key: '1' }, { key: '2' }, 'other'],
    ['one connection', { connection: 1 }, { connection: 1 }, 'same'],
    ['two connections of one program', { connection: 1 }, { connection: 2 }, 'unknown'],
    ['a connection of a proxy', { connection: 1, via: '1.1 p' }, { connection: 1, via: '1.1 p' }, 'unknown'],
    ['calls in process', {}, {}, 'unknown'],
    ['an empty id', { 'x-sim-client': '', connection: 1 }, { 'x-sim-client': '', connection: 1 }, 'same'],
  ])('compares %s', (_, left, right, expected) => {
    const [a, b] = [sent(left), sent(right)];
    expect(finish(Callers.of([a, b])).compare(a, b)).toBe(expected);
    expect(finish(Callers.of([a, b])).compare(b, a)).toBe(expected);
  });

  it('takes a connection of two programs for that of a proxy', () => {
    const [a, b, c] = [sent({ connection: 1 }), sent({ connection: 1 }), sent({ connection: 1, 'user-agent': 'x' })];
    expect(finish(Callers.of([a, b, c])).compare(a, b)).toBe('unknown');
  });

  it('reads the header that the policy names, in any case', () => {
    const [a, b] = [sent({ 'till-id': '1' }), sent({ 'till-id': '2' })];
    expect(finish(Callers.of([a, b], { clientHeader: 'Till-Id' })).compare(a, b)).toBe('other');
  });

  it.each<[string, Readonly<Record<string, string>>[], object, string[]]>([
    ['one declared client', [{ 'x-sim-client': 'a' }, { 'x-sim-client': 'a' }], {}, ['R8 fail', 'R10 fail']],
    ['two declared clients', [{ 'x-sim-client': 'a' }, { 'x-sim-client': 'b' }], {}, []],
    ['two clients by the declared header', [{ till: '1' }, { till: '2' }], { clientHeader: 'Till' }, []],
    ['undeclared clients', [{}, {}], {}, ['R8 inconclusive', 'R10 inconclusive']],
  ])('judges equal requests at once by %s', async (_, headers, policy, found) => {
    const client = await openSim({ policy: { tolerance: 600_000, ...policy } });
    const path = '/api/v3/challenges/checkpoints';
    await Promise.all(headers.map((own) => client.call('POST', path, { body: checkpoint, headers: own })));
    expect(await findingsOf(client)).toEqual(found);
  });

  it.each([
    ['one declared client', 'till-1', 'till-1', ['R9 fail']],
    ['two declared clients', 'till-1', 'till-2', []],
  ])('judges the order of a backlog by %s', async (_, older, newer, found) => {
    const faults = { createReceipt: [504, 504, 504, 504] };
    const client = await openFailingSim(faults, { storeAndForward: { after: '10s' } });
    const sell = (key: string, id: string) => sendReceipt(client, key, {}, { 'x-sim-client': id });
    for (let i = 0; i < 2; i++) await sell('a', older);
    for (let i = 0; i < 2; i++) await sell('b', newer);
    await advance(client, '1m');
    await sell('b', newer);
    await sell('a', older);
    expect(await findingsOf(client)).toEqual(found);
  });

  it('refuses a header that the journal does not keep', async () => {
    await expect(createSim({ policy: { clientHeader: 'authorization' } })).rejects.toThrow(
      'policy.clientHeader: must name a header that holds no key',
    );
  });
});

const checkpoint = [{ contactId: astrid, definitionId: '9b1d0c00-cccc-4000-8000-000000000001', checkpointAmount: 1 }];
