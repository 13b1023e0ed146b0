import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { formatEntry } from '../../../src/point-master/event-log.ts';
import { createPointMaster } from '../../../src/point-master/point-master.ts';
import { call, closeAll, key, manual, openMaster, post, seal, send, sign } from '../../support/master.ts';
import { passTime, stopTimers } from '../../support/own-time.ts';
import { openWire } from '../../support/wire.ts';
import { astrid } from '../../support/people.ts';

afterEach(closeAll);

const id = 'c1111111-1111-4111-8111-111111111111';

describe('what is no webhook', () => {
  it.each([
    ['no JSON', '{"eventType": "Astrid', 'InvalidJson', /^The body is not JSON: (?!.*Astrid)/],
    ['nothing', '', 'InvalidJson', /^The body is not JSON/],
    ['no envelope', '[]', 'InvalidEnvelope', /^The envelope is not as agreed: must be an object/],
    [
      'half an envelope',
      '{"id":"1"}',
      'InvalidEnvelope',
      /eventType: must be a text; id: must be a GUID; payload: must/,
    ],
  ])('is refused: %s', async (_what, body, code, message) => {
    const { url } = await openMaster();
    const answered = await send(url, sign(body));
    expect(answered).toEqual({ status: 400, body: { errorCode: code, message: expect.stringMatching(message) } });
  });

  it('is refused by another method', async () => {
    const { url } = await openMaster();
    const response = await fetch(`${url}/webhook`, { method: 'PUT', body: '{}' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  });

  it('is refused elsewhere, with what there is', async () => {
    const { url } = await openMaster();
    const { status, body } = await post(`${url}/hooks`);
    expect([status, body.message]).toEqual([404, expect.stringContaining('/webhook, /fetchPointHistory')]);
  });

  it('is refused when it is too large', async () => {
    const { url } = await openMaster();
    const { status, body } = await send(url, { body: 'x'.repeat(1024 * 1024 + 1), headers: {} });
    expect([status, body.errorCode]).toEqual([413, 'PayloadTooLarge']);
  });

  it('is refused when it is nested without end', async () => {
    const { url } = await openMaster();
    const payload = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    expect((await send(url, seal({ eventType: 'other', payload }))).body.errorCode).toBe('InvalidPayload');
  });

  it('is refused for another tenant', async () => {
    const { url } = await openMaster({ tenant: 'oslo' });
    expect((await send(url, seal())).body.errorCode).toBe('WrongTenant');
    expect((await send(url, seal({ tenant: 'oslo' }))).status).toBe(200);
  });

  it.each(['GET / HTTP/9.9\r\n\r\n', '\0\0\0', 'POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9\r\n\r\n{'])(
    'harms nobody: %j',
    async (text) => {
      const { url } = await openMaster();
      const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {});
      await new Promise((resolve) => void socket.write(text, resolve));
      socket.end();
      expect((await send(url, seal())).status).toBe(200);
      socket.destroy();
    },
  );
});

describe('a page in a browser', () => {
  it.each([
    { origin: 'https://shop.example' },
    { origin: 'null' },
    { host: 'rebound.example' },
    { 'sec-fetch-site': 'cross-site' },
  ])('may not call: %j', async (headers) => {
    const { url } = await openMaster();
    const { request } = await import('node:http');
    const status = await new Promise((resolve) => {
      request(`${url}/ledger`, { headers }, (response) => resolve(response.resume().statusCode)).end();
    });
    expect(status).toBe(403);
  });
});

describe('calls beside the contract', () => {
  it('are off where others can reach the master, unless there is a key', async () => {
    const { url } = await openMaster({ host: '0.0.0.0' });
    expect((await call(`${url}/ledger`)).body.errorCode).toBe('Forbidden');
    expect((await send(url, seal())).status).toBe(200);
  });

  it('ask for the key that there is', async () => {
    const { url } = await openMaster({ host: '0.0.0.0', adminKey: 'admin-1' });
    expect((await call(`${url}/ledger`)).status).toBe(401);
    expect((await call(`${url}/ledger`, { headers: { 'x-sim-admin-key': 'admin-1' } })).status).toBe(200);
  });
});

describe('the fake point master', () => {
  it('adjusts on its own, and shows the ledger', async () => {
    const { url } = await openMaster({ now: () => Date.parse('2026-03-01T12:00:00Z') });
    await send(url, seal({ id }));
    const till = { contactId: astrid, definitionId: 1, amount: 100, description: 'Receipt 7' };
    const account = {
      tenant: 'default',
      contactId: astrid,
      definitionId: 1,
      balance: 125,
      synced: false,
      lastSync: null,
    };
    expect((await post(`${url}/adjust`, till)).body).toEqual(account);
    expect((await call(`${url}/ledger`)).body).toEqual({ count: 1, accounts: [account] });
    const transactionDate = '2026-03-01T12:00:00.000Z';
    expect((await call(`${url}/ledger?contactId=${astrid}`)).body.accounts[0].transactions).toEqual([
      { transactionDate, amount: 25, description: 'For the long wait', eventId: id },
      { transactionDate, amount: 100, description: 'Receipt 7', eventId: null },
    ]);
  });

  it('refuses an adjustment with every mistake', async () => {
    const { master, url } = await openMaster();
    const { status, body } = await post(`${url}/adjust`, { contactId: 'x', amount: null, definition: 1 });
    expect([status, master.ledger()]).toEqual([400, []]);
    expect(body.message).toBe(
      'contactId: must be a GUID; definitionId: must be a whole number; amount: must be a number; has "definition", which means nothing here.',
    );
  });

  it('names everything that is wrong with its options, and no key', () => {
    const options = { key: 'short-key', secret: 'whsec_?', serviceUrl: 'localhost', opening: [{ contactId: 'x' }] };
    // What a caller without types may send.
    expect(() => createPointMaster(options as never)).toThrow(
      [
        'key: must have 32 characters, not 9',
        'secret: must be "whsec_" and base64, as whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
        'opening: [0].contactId: must be a GUID; [0].definitionId: must be a whole number; [0].amount: must be a number',
        'serviceUrl: must be the address of the service, as http://127.0.0.1:4010, not "localhost"',
      ].join('\n'),
    );
    expect(() => createPointMaster({ key: `${key.slice(1)}å` })).toThrow('not 32 of 33 bytes; each has to be ASCII');
  });

  it.each<[string, unknown, string]>([
    [
      'an option that there is not',
      { tenat: 'a' },
      'createPointMaster: tenat: is not an option; did you mean "tenant"?',
    ],
    [
      'a port, which listen() takes',
      { port: 4020 },
      'createPointMaster: port: is not an option; there are key, secret,',
    ],
    ['no object', 'http://127.0.0.1:4010', 'createPointMaster: must be an object with key, secret,'],
    ['a text for a time', { syncEvery: '1s' }, 'syncEvery: must be a number of milliseconds, 0 or more, not "1s"'],
    [
      'a time below zero',
      { timestampTolerance: -1 },
      'timestampTolerance: must be a number of milliseconds, 0 or more, not -1',
    ],
    ['no function', { onEvent: true }, 'onEvent: must be a function, not true'],
    [
      'an encryption that there is not',
      { encryption: 'aes' },
      'encryption: must be one of aes-256-cbc, aes-256-gcm, plain, not "aes"',
    ],
  ])('refuses %s', (_, options, message) => {
    // What a caller without types may send.
    const given = typeof options === 'object' ? { key, ...options } : options;
    expect(() => createPointMaster(given as never)).toThrow(message);
  });

  it('closes within a second, whatever hangs', async () => {
    const { master, url } = await openMaster({ faults: [{ fault: 'slow', delay: '1h' }] });
    const wire = openWire(Number(new URL(url).port));
    wire.write('POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9\r\n\r\n{');
    const hung = send(url, seal()).catch(() => {});
    await call(`${url}/__master/log?wait=60s`);
    stopTimers();
    const closed = master.close();
    await passTime(1000);
    await Promise.all([closed, hung, wire.ended]);
  });
});

describe('the log', () => {
  const payload = manual({
    description: 'For Astrid: 19900101-0017, +46 70 123 45 67, astrid@example.com',
    userName: 'Kim',
  });

  it('hides who somebody is', async () => {
    const { master, url } = await openMaster();
    await send(url, seal({ payload }));
    expect(master.log).toMatchObject([
      { payload: { ...payload, description: 'For Astrid: (hidden), (hidden), (hidden)', userName: '(hidden)' } },
    ]);
  });

  it('hides what it does not know', async () => {
    const { master, url } = await openMaster();
    const contact = {
      contactId: astrid,
      firstName: 'Astrid',
      address: { city: 'Umea', visits: 3 },
      on: '2026-03-01T12:00:00Z',
    };
    await send(url, seal({ eventType: 'contact.updated', payload: contact }));
    const shown = { ...contact, firstName: '(hidden)', address: { city: '(hidden)', visits: 3 } };
    expect(master.log).toMatchObject([{ payload: shown }]);
  });

  it('shows what could steer a terminal as text, in one line', async () => {
    const { master, url } = await openMaster();
    await send(url, seal({ payload: manual({ description: 'one\ntwo \u001b[2Jthree \u202efour' }) }));
    const [entry] = master.log;
    expect(entry && formatEntry(entry)).toContain('("one\\u000atwo \\u001b[2Jthree \\u202efour", Manual)');
  });

  it('shows everything when asked to', async () => {
    const { master, url } = await openMaster({ showPersonalData: true });
    await send(url, seal({ payload }));
    expect(master.log).toMatchObject([{ payload }]);
  });
});
