import { afterEach, describe, expect, it } from 'vitest';
import { parseFaultText } from '../../src/point-master/faults.ts';
import { call, closeAll, openMaster, post, seal, send } from '../support/master.ts';
import type { Letter } from '../support/master.ts';
import { astrid } from '../support/people.ts';

afterEach(closeAll);

const id = 'c1111111-1111-4111-8111-111111111111';

/** The status of an answer, or why there was none. */
const outcome = (url: string, letter: Letter): Promise<unknown> =>
  send(url, letter).then(
    ({ status }) => status,
    (error: Error) => (error.cause as { code: string }).code,
  );

/** What twenty webhooks are answered when each fails by chance. */
const luck = async (seed: number) => {
  const { url } = await openMaster({ seed, faults: [{ fault: 'error', probability: 0.5 }] });
  const statuses = [];
  for (let i = 0; i < 20; i++) statuses.push(await outcome(url, seal()));
  return statuses.join(' ');
};

describe('a fault', () => {
  it('"down" resets the connection, and nothing is applied', async () => {
    const { master, url } = await openMaster({ faults: [{ fault: 'down', times: 1 }] });
    expect(await outcome(url, seal({ id }))).toBe('ECONNRESET');
    expect(master.ledger()).toEqual([]);
    expect(await outcome(url, seal({ id }))).toBe(200);
  });

  it('"error" answers a status as often as it is told to, and nothing is applied', async () => {
    const { master, url } = await openMaster({ faults: [{ fault: 'error', status: 503, times: 2 }] });
    const letters = [seal(), seal(), seal()];
    const statuses = [];
    for (const letter of letters) statuses.push(await outcome(url, letter));
    expect(statuses).toEqual([503, 503, 200]);
    expect(master.ledger()).toMatchObject([{ balance: 25 }]);
  });

  it('"lost-response" applies and does not say so, so that the redelivery is a repetition', async () => {
    const { master, url } = await openMaster({ faults: [{ fault: 'lost-response', times: 1 }] });
    expect(await outcome(url, seal({ id }))).toBe('ECONNRESET');
    expect((await send(url, seal({ id }))).body).toEqual({ id, outcome: 'repeated' });
    expect(master.ledger()).toMatchObject([{ balance: 25 }]);
  });

  it('"slow" applies at once, before it responds', async () => {
    const { master, url } = await openMaster({ faults: [{ fault: 'slow', delay: '1h', times: 1, at: 'webhook' }] });
    const leaving = new AbortController();
    const response = fetch(url, { method: 'POST', ...seal(), signal: leaving.signal });
    await call(`${url}/__master/log?event=webhook&wait=60s`);
    expect(master.ledger()).toMatchObject([{ balance: 25 }]);
    leaving.abort();
    await expect(response).rejects.toThrow('aborted');
  });

  it('"slow" responds when its delay is over', async () => {
    const { url } = await openMaster({ faults: [{ fault: 'slow', delay: '1ms', times: 1, at: 'webhook' }] });
    expect(await outcome(url, seal())).toBe(200);
  });

  it('may be meant for the history alone', async () => {
    const { url } = await openMaster({ faults: [{ fault: 'error', at: 'history' }] });
    expect(await outcome(url, seal())).toBe(200);
    expect((await call(`${url}/fetchPointHistory?id=${astrid}`)).status).toBe(500);
  });

  it('by chance follows from the seed', async () => {
    expect(await luck(1)).toBe(await luck(1));
    expect(await luck(1)).not.toBe(await luck(2));
  });
});

describe('faults of a running master', () => {
  it('are put, shown with what they hit, and taken away', async () => {
    const { url } = await openMaster();
    const faults = [{ fault: 'error', times: 1 }];
    const path = `${url}/__master/faults`;
    await call(path, { method: 'PUT', body: JSON.stringify({ faults }) });
    await outcome(url, seal());
    expect((await call(path)).body).toEqual({ faults: [{ fault: 'error', times: 1, fired: 1 }] });
    expect((await call(path, { method: 'DELETE' })).body).toEqual({ faults: [] });
  });

  it('that can not be are refused with every mistake, and the ones before stay', async () => {
    const { url } = await openMaster({ faults: [{ fault: 'error', times: 1 }] });
    const body = JSON.stringify({ faults: [{ fault: 'slwo' }, { fault: 'slow' }, { fault: 'down', delay: 5 }] });
    const { status, body: answer } = await call(`${url}/__master/faults`, { method: 'PUT', body });
    expect([status, answer.message.split('\n')]).toEqual([
      400,
      [
        expect.stringMatching(/^faults\[0\]\.fault: must be one of down, error, .*; did you mean "slow"\?$/),
        'faults[1].delay: is needed by slow, as "2s"',
        'faults[2].delay: means nothing to down',
      ],
    ]);
    expect(await outcome(url, seal())).toBe(500);
  });
});

describe('the faults of a point master', () => {
  it.each([
    ['down', { fault: 'down' }],
    ['error=503*2', { fault: 'error', status: 503, times: 2 }],
    ['slow=2s*3', { fault: 'slow', delay: '2s', times: 3 }],
  ])('reads "%s"', (text, rule) => {
    expect(parseFaultText(text)).toEqual(rule);
  });

  it.each([
    ['slwo=2s', 'did you mean "slow"?'],
    ['error=abc', 'status'],
    ['error=200', 'must be from 400 to 599'],
    ['slow', 'delay: is needed by slow'],
    ['down*0', 'times: must be at least 1'],
  ])('does not read "%s"', (text, told) => {
    expect(() => parseFaultText(text)).toThrow(told);
  });

  it('forgets everything when it is reset', async () => {
    const { master, url } = await openMaster();
    await send(url, seal({ id }));
    expect((await post(`${url}/__master/reset`)).body).toEqual({ reset: 'all' });
    expect([master.ledger(), master.log]).toEqual([[], []]);
    expect((await send(url, seal({ id }))).body.outcome).toBe('applied');
  });
});
