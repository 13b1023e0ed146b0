import { describe, expect, it } from 'vitest';
import type { Client } from '../../support/client.ts';
import { receiptOf } from '../../support/receipt.ts';
import { astrid, astridOfStaff } from '../../support/people.ts';
import { openShopSim } from '../../support/open-sim.ts';

const send = ({ post }: Client, contact: object) => post('/api/v3/receipts', receiptOf('', 'r-1', { contact }));

const countOf = async ({ get }: Client, contactId: string) =>
  (await get(`/api/v3/transactions?contactId=${contactId}`)).body.totalCount;

describe("a receipt's contact", () => {
  it.each([
    ['contactId', astrid.toUpperCase()],
    ['email', 'Astrid@Example.com'],
    ['mobilePhone', '0046 70-174 06 01'],
    ['memberNumber', '100001'],
    ['externalId', 'crm-1'],
    ['socialSecurityNumber', '850709-9805'],
    ['CONTACTID', astrid],
    ['MemberNumber', ' 100001 '],
  ])('is found by %s %s', async (matchKeyType, matchKey) => {
    const client = await openShopSim();
    expect(await send(client, { matchKeyType, matchKey })).toMatchObject({ status: 202, warnings: '' });
    expect([await countOf(client, astrid), await countOf(client, astridOfStaff)]).toEqual([1, 0]);
  });

  it.each([
    ['without a contactType, of the default one', undefined, astrid],
    ['of the contactType given', 'staff', astridOfStaff],
    ['of the default type where contactType is null', null, astrid],
  ])('is looked for %s (Receipt rule 1)', async (_, contactType, owner) => {
    const client = await openShopSim();
    await send(client, { matchKeyType: 'email', matchKey: 'astrid@example.com', contactType });
    expect(await countOf(client, owner)).toBe(1);
  });

  it('is found by its id beside a contactType of another, which is said', async () => {
    const named = { matchKeyType: 'contactId', matchKey: astridOfStaff };
    const { warnings } = await send(await openShopSim(), { ...named, contactType: 'Member' });
    expect(warnings).toBe(
      'unread-contact-type: contactType "Member" is ignored next to a contactId; the contact is of type Staff',
    );
    expect((await send(await openShopSim(), { ...named, contactType: 'staff' })).warnings).toBe('');
  });

  it('is found by its id whatever its type (Receipt rule 1)', async () => {
    const client = await openShopSim();
    await send(client, { matchKeyType: 'contactId', matchKey: astridOfStaff });
    expect(await countOf(client, astridOfStaff)).toBe(1);
  });

  it('is the one who has the key when the queued receipt is recorded', async () => {
    const client = await openShopSim({ queueDelay: 60_000 });
    await send(client, { matchKeyType: 'email', matchKey: 'late@example.com' });
    const { body } = await client.post('/api/v3/contacts', { email: 'late@example.com' });
    await client.sim.clock.advance(60_000);
    expect(await countOf(client, body.id)).toBe(1);
  });

  it('keeps its receipts when it gets another type and another key', async () => {
    const client = await openShopSim();
    await send(client, { matchKeyType: 'memberNumber', matchKey: '100001' });
    await client.patch(`/api/v3/contacts/${astrid}`, { memberNumber: '7', email: 'new@example.com' });
    await client.post(`/api/v3/contacts/${astrid}/updateContactType?contactTypeId=Staff`);
    expect(await countOf(client, astrid)).toBe(1);
  });
});

describe('a receipt whose contact is unknown (A-25)', () => {
  it.each([
    ['email', 'who@example.com', 'no contact of type Member has the email "who@example.com"'],
    ['email', 'astrid', 'the email "astrid" must be an e-mail address'],
    ['mobilePhone', '070-174 06 01', 'the mobilePhone "070-174 06 01" must be a phone number with its country code'],
    ['contactId', 'astrid', 'no contact has the contactId "astrid"'],
    ['socialSecurityNumber', '19121212-1212', 'no contact of type Member has the socialSecurityNumber (hidden)'],
  ])('is accepted, and says of %s %s why', async (matchKeyType, matchKey, why) => {
    const { status, warnings } = await send(await openShopSim(), { matchKeyType, matchKey });
    expect(status).toBe(202);
    expect(warnings).toContain(`unknown-contact: ${why}`);
  });

  it('is kept without a contact, as the journal shows', async () => {
    const client = await openShopSim();
    await send(client, { matchKeyType: 'email', matchKey: 'who@example.com' });
    const [exchange] = client.sim.tenants.default.journal.exchanges();
    const kept = exchange?.sideEffects.changes.filter(({ table }) => table === 'receipts').map(({ after }) => after);
    expect(kept).toMatchObject([{ uniqueReceiptId: 'r-1', contactId: null }]);
    expect(exchange?.sideEffects.assumptions).toContain('A-25');
  });

  it('stays without one when somebody with its key comes later (Receipt rule 4)', async () => {
    const client = await openShopSim();
    await send(client, { matchKeyType: 'email', matchKey: 'late@example.com' });
    const { body } = await client.post('/api/v3/contacts', { email: 'late@example.com' });
    expect(await countOf(client, body.id)).toBe(0);
    expect((await send(client, { matchKeyType: 'contactId', matchKey: body.id })).warnings).toContain(
      'repeated-receipt',
    );
  });
});
