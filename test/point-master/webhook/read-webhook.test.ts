import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { call, closeAll, key, manual, openMaster, seal, secret, send } from '../../support/master.ts';
import { astrid } from '../../support/people.ts';

afterEach(closeAll);

const id = 'c1111111-1111-4111-8111-111111111111';

describe('a webhook', () => {
  it.each([
    { path: '/', family: 'webhook', encryption: 'aes-256-cbc' },
    { path: '/webhook', family: 'svix', encryption: 'aes-256-cbc' },
    { path: '/', family: 'svix', encryption: 'aes-256-gcm' },
    { path: '/', family: 'webhook', encryption: 'plain' },
  ] as const)(
    'is taken at $path, signed as $family, encrypted as $encryption',
    async ({ path, family, encryption }) => {
      const { master, url } = await openMaster({ encryption });
      const letter = seal({ id, family, encryption });
      expect(await send(`${url}${path}`, letter)).toEqual({ status: 200, body: { id, outcome: 'applied' } });
      expect(master.ledger()).toMatchObject([{ tenant: 'default', contactId: astrid, definitionId: 1, balance: 25 }]);
    },
  );

  it('by an automation is applied as well, and takes points too', async () => {
    const { master, url } = await openMaster();
    const guid = randomUUID();
    const run = { reason: 'Birthday', processId: guid, workflowId: guid, workflowName: 'Birthdays' };
    const { userId: _, userName: __, ...payload } = manual({ amount: -7.5, source: 'Automation', ...run });
    expect((await send(url, seal({ payload }))).status).toBe(200);
    expect(master.ledger({ contactId: astrid })).toMatchObject([{ balance: -7.5 }]);
  });

  it('is applied once, however often it comes', async () => {
    const { master, url } = await openMaster();
    const sent = [seal({ id }), seal({ id }), seal({ id: id.toUpperCase() })];
    const outcomes = await Promise.all(sent.map(async (letter) => (await send(url, letter)).body.outcome));
    expect(outcomes.toSorted()).toEqual(['applied', 'repeated', 'repeated']);
    expect(master.ledger()).toMatchObject([{ balance: 25, entries: [{ amount: 25, eventId: id }] }]);
  });

  it('that says something else under an id that was applied is refused', async () => {
    const { master, url } = await openMaster();
    await send(url, seal({ id }));
    const { status, body } = await send(url, seal({ id, payload: manual({ amount: 26 }) }));
    expect([status, body.errorCode]).toEqual([409, 'EventIdReused']);
    expect(master.ledger()).toMatchObject([{ balance: 25 }]);
  });

  it('about something else than points is noted, and changes nothing', async () => {
    const { master, url } = await openMaster();
    const letter = seal({ id, eventType: 'contact.updated', payload: { contactId: astrid, email: 'a@example.com' } });
    expect(await send(url, letter)).toEqual({ status: 200, body: { id, outcome: 'noted' } });
    expect(master.ledger()).toEqual([]);
  });

  it('of each tenant has accounts of its own', async () => {
    const { master, url } = await openMaster();
    await send(url, seal({ id, tenant: 'oslo' }));
    await send(url, seal({ id, tenant: 'umea', payload: manual({ amount: 1 }) }));
    expect(master.ledger({ tenant: 'oslo' })).toMatchObject([{ balance: 25 }]);
    expect(master.ledger({ tenant: 'umea' })).toMatchObject([{ balance: 1 }]);
  });

  it('is read while the key and the secret are being changed', async () => {
    const next = { key: 'f'.repeat(32), secret: 'whsec_bmV4dC1zZWNyZXQtbmV4dC1zZWNyZXQ=' };
    const { url } = await openMaster({ key: [next.key, key], secret: [next.secret, secret] });
    expect((await send(url, seal())).status).toBe(200);
    expect((await send(url, seal(next))).status).toBe(200);
  });
});

describe('the fake point master', () => {
  it('serves the history of a contact, and nothing of a stranger', async () => {
    const { url } = await openMaster({ now: () => Date.parse('2026-03-01T12:00:00Z') });
    await send(url, seal());
    await send(url, seal({ payload: manual({ amount: -5, description: null }) }));
    const transactionDate = '2026-03-01T12:00:00.000Z';
    expect((await call(`${url}/fetchPointHistory?id=${astrid.toUpperCase()}`)).body).toEqual([
      { transactionDate, amount: 25, description: 'For the long wait' },
      { transactionDate, amount: -5, description: '' },
    ]);
    expect((await call(`${url}/fetchPointHistory?id=${randomUUID()}`)).body).toEqual([]);
    expect((await call(`${url}/fetchPointHistory?id=anybody`)).body).toEqual([]);
    expect((await call(`${url}/fetchPointHistory`)).status).toBe(400);
  });
});
