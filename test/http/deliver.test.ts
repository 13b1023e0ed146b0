/** Faults on a socket, one by one: what happens around them. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Exchange } from '../../src/core/journal.ts';
import { createSim } from '../../src/sim.ts';
import type { Sim } from '../../src/sim.ts';
import { startCommand, tidy } from '../support/command.ts';
import { isComplete, openWire, parseAnswer, rawRequest } from '../support/wire.ts';
import type { Wire } from '../support/wire.ts';

let sim: Sim | undefined;
const wires = new Set<Wire>();

afterEach(async () => {
  for (const wire of wires) wire.close();
  await sim?.close();
  tidy();
});

const count = '/api/v3/contacts/count';
const ella = { firstName: 'Ella', lastName: 'Ek', email: 'ella.ek@example.com', mobilePhone: '+46701740699' };

interface Served {
  readonly wire: () => Wire;
  readonly port: number;
  /** Resolves with the next exchange that the journal closes. */
  readonly settled: () => Promise<Exchange>;
  readonly contacts: () => Promise<number>;
  readonly reset: () => Promise<unknown>;
}

/** A sim whose next call meets a fault. */
async function serve(fault?: unknown): Promise<Served> {
  const own = (sim = await createSim({ fixtures: 'empty' }));
  const { port } = await own.listen();
  const post = (path: string, body: unknown): Promise<Response> =>
    own.fetch(new Request(`http://localhost${path}`, { method: 'POST', body: JSON.stringify(body), headers: json }));
  if (fault !== undefined) expect((await post('/__admin/faults', { fault, times: 1 })).status).toBe(201);
  return {
    wire: () => {
      const wire = openWire(port);
      wires.add(wire);
      return wire;
    },
    port,
    settled: () => nextExchange(own),
    contacts: async () => (await own.fetch(new Request(`http://localhost${count}`))).json() as Promise<number>,
    reset: () => post('/__admin/reset', { scopes: ['faults'] }),
  };
}

const json = { 'content-type': 'application/json' };

function nextExchange({ tenants }: Sim): Promise<Exchange> {
  return new Promise((resolve) => {
    const stop = tenants.default.journal.listen((exchange) => {
      stop();
      resolve(exchange);
    });
  });
}

/** The only exchange so far. */
const noted = (): Exchange | undefined => [...(sim?.tenants.default.journal.exchanges() ?? [])][0];

const eventually = (isSo: () => boolean): Promise<void> =>
  vi.waitFor(() => expect(isSo()).toBe(true), { interval: 2, timeout: 10_000 });

/** The statuses of the answers that came, one after another. */
const statuses = (heard: Buffer): string[] =>
  [...heard.toString().matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status ?? '');

const answers = (wanted: number) => (heard: Buffer) => statuses(heard).length >= wanted;

describe('a connection', () => {
  it.each([[500], [{ delay: 1 }], [{ dribble: { pieces: 2, pause: 1 } }], [{ phase: 'after', status: 504 }]])(
    'is as before after %j',
    async (fault) => {
      const wire = (await serve(fault)).wire();
      wire.write(rawRequest('GET', count));
      await wire.until(isComplete);
      wire.write(rawRequest('GET', count));
      await wire.until(answers(2));
      expect([statuses(wire.heard())[1], wire.end()]).toEqual(['200', undefined]);
    },
  );

  it('that hangs is never answered again, whatever comes by it', async () => {
    const { wire, reset } = await serve({ respond: 'full', end: 'hang' });
    const hung = wire();
    hung.write(rawRequest('GET', count));
    await hung.until(isComplete);
    hung.write(rawRequest('POST', '/api/v3/contacts', ella));
    hung.write('no HTTP at all\r\n\r\n');
    const other = wire();
    other.write(rawRequest('GET', count));
    await other.until(isComplete);
    expect(parseAnswer(other.heard()).body.toString()).toBe('0');
    expect([hung.end(), statuses(hung.heard())]).toEqual([undefined, ['200']]);
    await reset();
    expect(await hung.ended).toBe('fin');
  });

  it('answers requests in a row in their order, and none after the one that ends it', async () => {
    const wire = (await serve({ delay: 30, respond: 'full', end: 'fin' })).wire();
    const [first, ...others] = [1, 2, 3].map(() => rawRequest('GET', count));
    wire.write(`${first}${others.join('')}`);
    expect(await wire.ended).toBe('fin');
    expect(statuses(wire.heard())).toEqual(['200']);
    const exchanges = [...(sim?.tenants.default.journal.exchanges() ?? [])];
    await eventually(() => exchanges[2]?.delivered !== undefined);
    expect(exchanges.map(({ status, delivered }) => [status, delivered?.end])).toEqual([
      [200, 'fin'],
      [undefined, 'fin'],
      [undefined, 'fin'],
    ]);
  });

  it('that is to end has the answers before it first', async () => {
    const { wire } = await serve([{ delay: 30 }, 'CONNECTION_RESET_BY_PEER']);
    const used = wire();
    used.write(rawRequest('GET', count) + rawRequest('GET', count));
    expect(await used.ended).toBe('rst');
    expect(statuses(used.heard())).toEqual(['200']);
  });
});

describe('a request', () => {
  it.each([
    ['headers', 'fin'],
    ['partial', 'fin'],
    ['bad-chunk', 'fin'],
  ])('with HEAD has no body that %s could cut', async (respond, end) => {
    const wire = (await serve({ respond, end })).wire();
    wire.write(rawRequest('HEAD', count));
    expect(await wire.ended).toBe('fin');
    expect(parseAnswer(wire.heard())).toMatchObject({ status: 200, body: Buffer.from('') });
  });

  it('that waits to send its body is told to go on', async () => {
    const wire = (await serve(503)).wire();
    const [head, body] = rawRequest('POST', '/api/v3/contacts', ella, 'expect: 100-continue').split(/(?<=\r\n\r\n)/);
    wire.write(head ?? '');
    await wire.until(answers(1));
    wire.write(body ?? '');
    await wire.until(answers(2));
    expect(statuses(wire.heard())).toEqual(['100', '503']);
  });

  it('of HTTP/1.0 meets the fault too', async () => {
    const wire = (await serve(500)).wire();
    wire.write(`GET ${count} HTTP/1.0\r\n\r\n`);
    expect(await wire.ended).toBe('fin');
    expect(parseAnswer(wire.heard()).status).toBe(500);
  });

  it('with a body too large is refused as ever', async () => {
    const wire = (await serve('EMPTY_RESPONSE')).wire();
    wire.write(rawRequest('POST', '/api/v3/contacts').replace('host', `content-length: ${2 ** 30}\r\nhost`));
    await wire.until(isComplete);
    expect(parseAnswer(wire.heard()).status).toBe(413);
    wire.close();
  });

  it('with a body that a GET has no use for meets the fault too', async () => {
    const wire = (await serve({ respond: 'partial', end: 'fin' })).wire();
    wire.write(rawRequest('GET', '/api/v3/stores', 'x'.repeat(1_000_000)));
    expect(await wire.ended).toBe('fin');
    expect(parseAnswer(wire.heard()).status).toBe(200);
  });
});

async function hearGarbage(): Promise<string> {
  const wire = (await serve({ respond: 'garbage', bytes: 30 })).wire();
  wire.write(rawRequest('GET', count));
  await wire.ended;
  return wire.heard().toString('hex');
}

describe('an answer', () => {
  it('has the headers that the fault gives, in any case, and text as it stands', async () => {
    const headers = { 'Content-Type': 'text/html', 'Retry-After': '2' };
    const wire = (await serve({ status: 503, headers, body: '<h1>Sorry' })).wire();
    wire.write(rawRequest('GET', count));
    await wire.until(isComplete);
    const { headers: got, body } = parseAnswer(wire.heard());
    expect(got).toMatchObject({ 'content-type': 'text/html', 'retry-after': '2', 'content-length': '9' });
    expect(body.toString()).toBe('<h1>Sorry');
  });

  it.each([
    [404, '/api/v3/contacts/id?email=a@example.com', 'ContactNotFound'],
    [404, '/api/v3/stores', 'NotFound'],
    [429, count, 'TooManyRequests'],
    [500, count, 'InternalError'],
    [504, count, 'GatewayTimeout'],
    [410, count, 'Gone'],
  ])('of status %i at %s says what the service would', async (status, path, errorCode) => {
    const wire = (await serve(status)).wire();
    wire.write(rawRequest('GET', path));
    await wire.until(isComplete);
    const { status: got, body } = parseAnswer(wire.heard());
    const { errorCode: said, ...rest } = JSON.parse(body.toString());
    expect([got, said, rest]).toEqual([status, errorCode, { message: expect.any(String), requestId: 'default-1' }]);
  });

  it.each([204, 205, 304])('of status %i has no body', async (status) => {
    const wire = (await serve(status)).wire();
    wire.write(rawRequest('GET', count));
    await wire.until((heard) => heard.includes('\r\n\r\n'));
    expect(parseAnswer(wire.heard())).toMatchObject({ status, body: Buffer.from('') });
  });

  it('of garbage is the same every time', async () => {
    const first = await hearGarbage();
    await sim?.close();
    expect([await hearGarbage(), first.length]).toEqual([first, 60]);
  });
});

describe('a client that gives up first', () => {
  it.each([
    // Long enough for anybody to have hung up by then.
    ['before', 1500],
    ['after', 60_000],
  ])('changes nothing about the work, phase %s', async (phase, delay) => {
    const { wire, contacts, settled, reset } = await serve({ phase, delay });
    const impatient = wire();
    impatient.write(rawRequest('POST', '/api/v3/contacts', ella));
    await eventually(() => noted() !== undefined);
    impatient.close();
    const exchange = settled();
    await eventually(() => noted()?.delivered?.end === 'client');
    if (phase === 'after') await reset();
    expect(await exchange).toMatchObject({
      status: undefined,
      delivered: { end: 'client', bytes: 0 },
      answer: { status: 201 },
    });
    expect(await contacts()).toBe(1);
  });

  it('is noted in the middle of an answer', async () => {
    const { wire, settled } = await serve({ dribble: { pieces: 2, pause: 60_000 } });
    const impatient = wire();
    impatient.write(rawRequest('GET', '/api/v3/contacts/none'));
    await impatient.until((heard) => parseAnswer(heard).body.length > 0);
    const exchange = settled();
    impatient.close();
    expect((await exchange).delivered).toMatchObject({ status: 404, end: 'client' });
  });

  it('and reads nothing before is told from one that has read', async () => {
    const { settled, port } = await serve({ status: 200, body: 'x'.repeat(12_000_000) });
    const exchange = settled();
    const lazy = connect(port, '127.0.0.1').pause();
    lazy.write(rawRequest('GET', count));
    await once(lazy, 'readable');
    lazy.destroy();
    const { delivered, status } = await exchange;
    expect([status, delivered?.end, delivered?.body?.length]).toEqual([200, 'client', delivered?.bytes]);
    expect(delivered?.bytes).toBeLessThan(12_000_000);
  });

  it('is noted without any fault', async () => {
    const { wire } = await serve();
    const impatient = wire();
    impatient.write(rawRequest('POST', '/api/v3/contacts', ella).slice(0, -5));
    await eventually(() => noted() !== undefined);
    impatient.close();
    await eventually(() => noted()?.delivered !== undefined);
    expect(noted()).toMatchObject({ status: undefined, delivered: { end: 'client', bytes: 0 } });
  });
});

describe('calls that are held up', () => {
  it('are let go by a reset, and their work is not done', async () => {
    const { wire, reset, contacts } = await serve({ delay: 60_000 });
    const held = wire();
    held.write(rawRequest('POST', '/api/v3/contacts', ella));
    await eventually(() => noted() !== undefined);
    await reset();
    expect([await held.ended, held.heard().length, await contacts()]).toEqual(['fin', 0, 0]);
    expect(noted()).toMatchObject({ status: undefined, answer: undefined, delivered: { end: 'fin' } });
  });

  it("don't hold up others, nor the end of the simulator", async () => {
    const { url, signal } = await startCommand();
    const body = JSON.stringify({ fault: { respond: 'none', end: 'hang' }, match: { path: '/api/v3/stores' } });
    await fetch(`${url}/__admin/faults`, { method: 'POST', body, headers: json });
    const hung = Array.from({ length: 100 }, () => openWire(Number(new URL(url).port)));
    for (const wire of hung) wire.write(rawRequest('GET', '/api/v3/stores'));
    await fetch(`${url}/__admin/requests?path=/api/v3/stores&wait=20s&atLeast=100`);
    expect((await fetch(url + count)).status).toBe(200);
    expect(hung.map(({ end }) => end())).toEqual(hung.map(() => undefined));
    const began = performance.now();
    expect((await signal('SIGTERM')).code).toBe(0);
    expect(performance.now() - began).toBeLessThan(1000);
    await Promise.all(hung.map(({ ended }) => ended));
  });
});
