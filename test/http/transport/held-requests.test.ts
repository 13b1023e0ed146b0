/** Callers that give up first, and calls that are held up. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { startCommand, tidy } from '../../support/command.ts';
import { closeServed, count, eventually, json, noted, openSimWithFault, statuses } from '../../support/served.ts';
import { openWire, parseAnswer, rawRequest } from '../../support/wire.ts';
import { ella } from '../../support/people.ts';

afterEach(async () => {
  await closeServed();
  tidy();
});

describe('a client that gives up first', () => {
  it.each([
    // Long enough for anybody to have hung up by then.
    ['before', 1500],
    ['after', 60_000],
  ])('changes nothing about the work, phase %s', async (phase, delay) => {
    const { wire, contacts, settled, reset } = await openSimWithFault({ phase, delay });
    const impatient = wire();
    impatient.write(rawRequest('POST', '/api/v3/contacts', ella));
    await eventually(() => noted() !== undefined);
    impatient.close();
    const exchange = settled();
    await eventually(() => noted()?.delivered?.end === 'client-aborted');
    if (phase === 'after') await reset();
    expect(await exchange).toMatchObject({
      status: undefined,
      delivered: { end: 'client-aborted', bytes: 0 },
      response: { status: 201 },
    });
    expect(await contacts()).toBe(1);
  });

  it('is noted in the middle of a response', async () => {
    const { wire, settled } = await openSimWithFault({ dribble: { chunks: 2, interval: 60_000 } });
    const impatient = wire();
    impatient.write(rawRequest('GET', '/api/v3/contacts/none'));
    await impatient.until((heard) => parseAnswer(heard).body.length > 0);
    const exchange = settled();
    impatient.close();
    expect((await exchange).delivered).toMatchObject({ status: 404, end: 'client-aborted' });
  });

  it('and reads nothing before is distinguished from one that has read', async () => {
    const { settled, port } = await openSimWithFault({ status: 200, body: 'x'.repeat(12_000_000) });
    const exchange = settled();
    const lazy = connect(port, '127.0.0.1').pause();
    lazy.write(rawRequest('GET', count));
    await once(lazy, 'readable');
    lazy.destroy();
    const { delivered, status } = await exchange;
    expect([status, delivered?.end, delivered?.body?.length]).toEqual([200, 'client-aborted', delivered?.bytes]);
    expect(delivered?.bytes).toBeLessThan(12_000_000);
  });

  it.each([
    ['is served at once', undefined, { status: 200 }],
    ['is as good as gone while its response is delayed', { delay: 60_000 }, { delivered: { end: 'client-aborted' } }],
  ])('by its sending side alone %s', async (_, fault, seen) => {
    const { port } = await openSimWithFault(fault);
    const half = connect(port, '127.0.0.1');
    half.end(rawRequest('GET', count));
    const heard = Buffer.concat(await half.toArray());
    expect(statuses(heard)).toEqual(fault ? [] : ['200']);
    await eventually(() => noted()?.finishedAt !== undefined || noted()?.delivered !== undefined);
    expect(noted()).toMatchObject(seen);
  });

  it('is noted without any fault', async () => {
    const { wire } = await openSimWithFault();
    const impatient = wire();
    impatient.write(rawRequest('POST', '/api/v3/contacts', ella).slice(0, -5));
    await eventually(() => noted() !== undefined);
    impatient.close();
    await eventually(() => noted()?.delivered !== undefined);
    expect(noted()).toMatchObject({ status: undefined, delivered: { end: 'client-aborted', bytes: 0 } });
  });
});

describe('calls that are held up', () => {
  it('are let go by a reset, and their work is not done', async () => {
    const { wire, reset, contacts } = await openSimWithFault({ delay: 60_000 });
    const held = wire();
    held.write(rawRequest('POST', '/api/v3/contacts', ella));
    await eventually(() => noted() !== undefined);
    await reset();
    expect([await held.ended, held.heard().length, await contacts()]).toEqual(['close', 0, 0]);
    expect(noted()).toMatchObject({ status: undefined, response: undefined, delivered: { end: 'close' } });
  });

  it("don't hold up others, nor the end of the simulator", async () => {
    const { url, signal } = await startCommand();
    const body = JSON.stringify({ fault: { respond: 'none', end: 'hang' }, match: { path: '/api/v3/stores' } });
    await fetch(`${url}/__admin/faults`, { method: 'POST', body, headers: json });
    const hung = Array.from({ length: 100 }, () => openWire(Number(new URL(url).port)));
    for (const wire of hung) wire.write(rawRequest('GET', '/api/v3/stores'));
    await fetch(`${url}/__admin/requests?path=/api/v3/stores&wait=60s&atLeast=100`);
    expect((await fetch(url + count)).status).toBe(200);
    expect(hung.map(({ end }) => end())).toEqual(hung.map(() => undefined));
    expect((await signal('SIGTERM')).code).toBe(0);
    await Promise.all(hung.map(({ ended }) => ended));
  });
});
