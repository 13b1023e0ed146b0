/** Clients whose headers do not name their HTTP library: what is wrong whatever it repeated by itself fails, and nothing else. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import { findingsOf } from '../support/judged.ts';
import { openSimOnPort } from '../support/open-sim-on-port.ts';
import { astrid } from '../support/people.ts';
import { isComplete, openWire, rawRequest } from '../support/wire.ts';
import type { Wire } from '../support/wire.ts';
import { inTime, notePause } from '../support/in-time.ts';

const contact = `/api/v3/contacts/${astrid}`;

interface Case {
  readonly policy?: object;
  /** The pause before each repeat, in ms: 0 is at once. */
  readonly pauses: readonly number[];
  /** How many requests fail (default: all). */
  readonly failures?: number;
  readonly end?: 'close' | 'reset';
  /** How many of the first requests are sent on connections that served others before. */
  readonly kept?: number;
  readonly headers?: readonly string[];
}

/** Reads a contact once and again after each pause, each time on another connection. */
async function play({ policy, pauses, failures = 99, end = 'close', kept = 0, headers = [] }: Case): Promise<string[]> {
  const fault = { phase: 'after', respond: 'none', end } as const;
  const rules = [{ match: { endpoint: 'getContact' }, times: failures, fault }];
  const client = await openSimOnPort({ scenario: { ...(policy && { policy }), rules } });
  const send = (path: string): string => rawRequest('GET', path, undefined, ...headers);
  const open = async (): Promise<Wire> => {
    const wire = openWire(client.port);
    wire.write(send('/api/v3/stores'));
    await wire.until(isComplete);
    return wire;
  };
  const ready: Wire[] = [];
  for (let i = 0; i < kept; i++) ready.push(await open());
  for (const [i, pause] of [0, ...pauses].entries()) {
    if (pause > 0) await sleep(pause);
    const wire = ready.shift() ?? openWire(client.port);
    const before = wire.heard().length;
    wire.write(send(contact));
    await (i < failures ? wire.ended : wire.until((heard) => isComplete(heard.subarray(before))));
  }
  noteLateRepeats(client, pauses);
  const found = await findingsOf(client);
  return [...new Set(found.filter((one) => !one.endsWith('note')))].toSorted();
}

/** Takes note of the repeats that were to come at once. */
function noteLateRepeats({ sim }: Client, pauses: readonly number[]): void {
  const reads = sim
    .tenant('default')
    .requests()
    .filter(({ endpoint }) => endpoint === 'getContact');
  for (const [i, pause] of pauses.entries())
    if (pause === 0) notePause((reads[i + 1]?.startedAt ?? 0) - (reads[i]?.finishedAt ?? 0));
}

const patient = { minBackoff: '3s', tolerance: '1ms' };
/** Longer than a library takes on a busy machine. */
const brief = { minBackoff: '550ms', tolerance: '1ms' };

describe('the verdict on unnamed libraries', () => {
  it.each<readonly [string, Case, readonly string[]]>([
    ['repeats at once, once', { policy: patient, pauses: [0], failures: 1 }, ['R6 inconclusive']],
    ['repeats at once, three times', { policy: patient, pauses: [0, 0, 0], failures: 3 }, ['R6 inconclusive']],
    [
      'names what it accepts',
      { policy: patient, pauses: [0], failures: 1, headers: ['accept: */*'] },
      ['R6 inconclusive'],
    ],
    [
      'finds two kept connections dead',
      { policy: patient, pauses: [0, 0], failures: 2, kept: 2, end: 'reset' },
      ['R6 inconclusive'],
    ],
    [
      'tries as often as declared, if its library repeats',
      { policy: { ...brief, maxAttempts: 2 }, pauses: [0, 0, 0, 600, 0], failures: 5 },
      ['R6 inconclusive', 'R7 inconclusive'],
    ],
    [
      'pauses as declared, if its library repeats',
      { policy: { minBackoff: ['60ms', '2s'], tolerance: '1ms' }, pauses: [0, 70], failures: 2, end: 'reset' },
      ['R6 inconclusive'],
    ],
    ['gives up after one repeat at once', { pauses: [0] }, ['R1 inconclusive']],
  ])('leaves open whether a client is right that %s', inTime, async (_, one, found) => {
    expect(await play(one)).toEqual(found);
  });

  it.each<readonly [string, Case, readonly string[]]>([
    [
      'repeats at once, more often than any library',
      { policy: patient, pauses: [0, 0, 0, 0, 0], failures: 5 },
      ['R6 fail'],
    ],
    [
      'repeats at once, and then too soon',
      { policy: { minBackoff: '10s' }, pauses: [0, 1500], failures: 2, end: 'reset' },
      ['R6 fail'],
    ],
    ['repeats at once, and nothing more', { policy: patient, pauses: [0] }, ['R6 fail']],
    [
      'tries too often, however often its library does',
      { policy: { ...brief, maxAttempts: 2 }, pauses: [0, 600, 0, 900, 0], end: 'reset' },
      ['R7 fail'],
    ],
    [
      'tries far too often, so that its library may have made many sets of repeats',
      { policy: { maxAttempts: 3 }, pauses: Array<number>(20).fill(0) },
      ['R7 fail'],
    ],
    [
      'says that it closes each connection, as no library does that repeats',
      { policy: patient, pauses: [0], failures: 1, headers: ['connection: close'] },
      ['R6 fail'],
    ],
  ])('fails a client that %s', inTime, async (_, one, found) => {
    expect(await play(one)).toEqual(expect.arrayContaining([...found]));
  });

  it('fails a read that only the library repeated after an earlier read of the same was given up', inTime, async () => {
    const headers = ['user-agent: Go-http-client/1.1'];
    expect(await play({ pauses: [0], kept: 1, end: 'reset', headers })).toEqual(['R1 fail']);
  });
});
