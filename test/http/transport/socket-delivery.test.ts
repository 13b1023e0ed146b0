/** Faults on a socket, one by one: what happens around them. */
import { afterEach, describe, expect, it } from 'vitest';
import {
  answers,
  closeServed,
  count,
  eventually,
  exchangesSoFar,
  openSimWithFault,
  statuses,
} from '../../support/served.ts';
import { isComplete, parseAnswer, rawRequest } from '../../support/wire.ts';
import { ella } from '../../support/people.ts';

afterEach(closeServed);

describe('a connection', () => {
  it.each([[500], [{ delay: 1 }], [{ dribble: { chunks: 2, interval: 1 } }], [{ phase: 'after', status: 504 }]])(
    'is as before after %j',
    async (fault) => {
      const wire = (await openSimWithFault(fault)).wire();
      wire.write(rawRequest('GET', count));
      await wire.until(isComplete);
      wire.write(rawRequest('GET', count));
      await wire.until(answers(2));
      expect([statuses(wire.heard())[1], wire.end()]).toEqual(['200', undefined]);
    },
  );

  it('that hangs gets no response any more, whatever comes by it', async () => {
    const { wire, reset } = await openSimWithFault({ respond: 'full', end: 'hang' });
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
    expect(await hung.ended).toBe('close');
  });

  it('responds to requests in a row in their order, and to none after the one that ends it', async () => {
    const wire = (await openSimWithFault({ delay: 30, respond: 'full', end: 'close' })).wire();
    const [first, ...others] = [1, 2, 3].map(() => rawRequest('GET', count));
    wire.write(`${first}${others.join('')}`);
    expect(await wire.ended).toBe('close');
    expect(statuses(wire.heard())).toEqual(['200']);
    const exchanges = exchangesSoFar();
    await eventually(() => exchanges[2]?.delivered !== undefined);
    expect(exchanges.map(({ status, delivered }) => [status, delivered?.end])).toEqual([
      [200, 'close'],
      [undefined, 'close'],
      [undefined, 'close'],
    ]);
  });

  it('that is to end has the responses before it first', async () => {
    const { wire } = await openSimWithFault([{ delay: 30 }, 'CONNECTION_RESET_BY_PEER']);
    const used = wire();
    used.write(rawRequest('GET', count) + rawRequest('GET', count));
    expect(await used.ended).toBe('reset');
    expect(statuses(used.heard())).toEqual(['200']);
  });
});

describe('a request', () => {
  it.each([
    ['headers', 'close'],
    ['partial', 'close'],
    ['bad-chunk', 'close'],
  ])('with HEAD has no body that %s could cut', async (respond, end) => {
    const wire = (await openSimWithFault({ respond, end })).wire();
    wire.write(rawRequest('HEAD', count));
    expect(await wire.ended).toBe('close');
    expect(parseAnswer(wire.heard())).toMatchObject({ status: 200, body: Buffer.from('') });
  });

  it('that waits to send its body gets 100 Continue', async () => {
    const wire = (await openSimWithFault(503)).wire();
    const [head, body] = rawRequest('POST', '/api/v3/contacts', ella, 'expect: 100-continue').split(/(?<=\r\n\r\n)/);
    wire.write(head ?? '');
    await wire.until(answers(1));
    wire.write(body ?? '');
    await wire.until(answers(2));
    expect(statuses(wire.heard())).toEqual(['100', '503']);
  });

  it('of HTTP/1.0 meets the fault too', async () => {
    const wire = (await openSimWithFault(500)).wire();
    wire.write(`GET ${count} HTTP/1.0\r\n\r\n`);
    expect(await wire.ended).toBe('close');
    expect(parseAnswer(wire.heard()).status).toBe(500);
  });

  it('with a body too large is refused as ever', async () => {
    const wire = (await openSimWithFault('EMPTY_RESPONSE')).wire();
    wire.write(rawRequest('POST', '/api/v3/contacts').replace('host', `content-length: ${2 ** 30}\r\nhost`));
    await wire.until(isComplete);
    expect(parseAnswer(wire.heard()).status).toBe(413);
    wire.close();
  });

  it('with a body that a GET has no use for meets the fault too', async () => {
    const wire = (await openSimWithFault({ respond: 'partial', end: 'close' })).wire();
    wire.write(rawRequest('GET', '/api/v3/stores', 'x'.repeat(1_000_000)));
    expect(await wire.ended).toBe('close');
    expect(parseAnswer(wire.heard()).status).toBe(200);
  });
});

async function hearGarbage(): Promise<string> {
  const wire = (await openSimWithFault({ respond: 'garbage', bytes: 30 })).wire();
  wire.write(rawRequest('GET', count));
  await wire.ended;
  return wire.heard().toString('hex');
}

describe('a response', () => {
  it('has the headers that the fault gives, in any case, and text as it stands', async () => {
    const headers = { 'Content-Type': 'text/html', 'Retry-After': '2' };
    const wire = (await openSimWithFault({ status: 503, headers, body: '<h1>Sorry' })).wire();
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
    const wire = (await openSimWithFault(status)).wire();
    wire.write(rawRequest('GET', path));
    await wire.until(isComplete);
    const { status: got, body } = parseAnswer(wire.heard());
    const { errorCode: said, ...rest } = JSON.parse(body.toString());
    expect([got, said, rest]).toEqual([status, errorCode, { message: expect.any(String), requestId: 'default-1' }]);
  });

  it.each([204, 205, 304])('of status %i has no body', async (status) => {
    const wire = (await openSimWithFault(status)).wire();
    wire.write(rawRequest('GET', count));
    await wire.until((heard) => heard.includes('\r\n\r\n'));
    expect(parseAnswer(wire.heard())).toMatchObject({ status, body: Buffer.from('') });
  });

  it('of garbage is the same every time', async () => {
    const first = await hearGarbage();
    await closeServed();
    expect([await hearGarbage(), first.length]).toEqual([first, 60]);
  });
});
