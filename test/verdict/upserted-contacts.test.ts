/** With A-19 `upsert`, POST /contacts/bulk changes the contacts that it names: it is judged as PATCH is. */
import { describe, expect, it } from 'vitest';
import { inTime } from '../support/in-time.ts';
import { astrid, astridPath } from '../support/people.ts';
import { lost, on, openStage, ways } from '../support/programs.ts';
import type { Judged, Way } from '../support/programs.ts';

/** Requests that a client sends in turn. */
type Sent = readonly [method: string, path: string, body?: unknown];

const email = 'astrid.lindqvist@example.com';
const newEmail = 'ella.ek@example.com';
const bulkPath = '/api/v3/contacts/bulk?contactType=Member';
const post = (...rows: object[]): Sent => ['POST', bulkPath, rows];
const patchBulk = (...rows: object[]): Sent => ['PATCH', bulkPath, rows];
const create = (body: object): Sent => ['POST', '/api/v3/contacts', body];
const patch = (body: object): Sent => ['PATCH', astridPath, body];
const unnamed = { firstName: 'Q', lastName: 'Z', contactType: 'Contact' };
const read: Sent = ['GET', astridPath];
const lookUp = (key: string): Sent => ['GET', `/api/v3/contacts/id?email=${key}`];
const otherWork: Sent = ['GET', '/consents'];

interface Played {
  readonly way?: Way;
  readonly fault?: unknown;
  /** The endpoint whose first request fails (default: createContacts). */
  readonly failing?: string;
  readonly variant?: string;
}

async function play(sent: readonly Sent[], played: Played = {}): Promise<Judged> {
  const { way = 'in process', fault = 504, failing = 'createContacts', variant = 'upsert' } = played;
  const { send, judge } = await openStage(way, { rules: [on(failing, fault)], assumptions: { 'A-19': variant } });
  for (const [method, path, body] of sent) await send(method, path, body);
  return judge();
}

const found = ({ verdict, failedBy }: Judged): string => [verdict, ...failedBy].join(' ');

const byEmail = (street: string): object => ({ email, street });
const byId = (street: string): object => ({ id: astrid, street });

const upserts: readonly [string, readonly Sent[], string][] = [
  ['its id is looked up, and the old street is read', [post(byEmail('New 9')), lookUp(email), read], 'FAIL R1'],
  ['only the id is looked up', [post(byEmail('New 9')), lookUp(email), otherWork], 'FAIL R1'],
  ['the new street is there', [post(byEmail('Götgatan 42')), read], 'PASS'],
  [
    'it is delivered late, by the e-mail address, over a newer change',
    [post(byEmail('Old 1')), patch({ street: 'New 2' }), read, post(byEmail('Old 1')), read],
    'FAIL R16',
  ],
  [
    'it is delivered late, by the id, over a newer change',
    [post(byId('Old 1')), patch({ street: 'New 2' }), read, post(byId('Old 1')), read],
    'FAIL R16',
  ],
  ['it is read back by the id, and repeated', [post(byId('New 9')), read, post(byId('New 9')), read], 'PASS'],
  [
    'it is read back by the e-mail address, and repeated',
    [post(byEmail('New 9')), read, post(byEmail('New 9'))],
    'PASS',
  ],
  ['it is repeated without a look, which does no harm', [post(byId('New 9')), post(byId('New 9'))], 'PASS'],
  ['it names an e-mail address, and is repeated without a look', [post(byEmail('a')), post(byEmail('a'))], 'PASS'],
  ['a newer change replaces it, looked at', [post(byId('Old 1')), patch({ street: 'New 2' }), read], 'PASS'],
  ['a newer change replaces it', [post(byEmail('Old 1')), patch({ street: 'New 2' })], 'PASS'],
  ['a newer bulk replaces it', [post(byEmail('Old 1')), post(byEmail('New 2'))], 'PASS'],
  ['a newer PATCH of a bulk replaces it', [post(byEmail('Old 1')), patchBulk(byEmail('New 2'))], 'PASS'],
  ['a newer change sets another field', [post(byEmail('Old 1')), patch({ city: 'Umeå' })], 'FAIL R1'],
  ['nothing follows', [post(byId('New 9')), otherWork], 'FAIL R1'],
  [
    'it creates a contact, looked up before it is repeated',
    [post({ email: newEmail }), lookUp(newEmail), post({ email: newEmail }), lookUp(newEmail)],
    'PASS',
  ],
];

describe.each(ways)('%s, a bulk of changes by POST fails before the work', inTime, (way) => {
  it.each(upserts)('and %s', async (_, sent, expected) => {
    expect(found(await play(sent, { way }))).toBe(expected);
  });
});

it.each<[string, readonly Sent[], string]>([
  ['the id alone cannot show the new street', [post(byEmail('New 9')), lookUp(email), otherWork], 'FAIL R1'],
  ['the contact shows it', [post(byEmail('New 9')), read], 'PASS'],
  ['the id shows that a contact was created', [post({ email: newEmail, street: 'a' }), lookUp(newEmail)], 'PASS'],
  ['it is repeated without a look', [post(byId('New 9')), post(byId('New 9'))], 'PASS'],
  ['a row that names nobody is repeated without a look', [post(unnamed), post(unnamed)], 'FAIL R11'],
])('a bulk of changes by POST is lost after the work: %s', inTime, async (_, sent, expected) => {
  expect(found(await play(sent, { fault: lost }))).toBe(expected);
});

describe('the verdict on upserted contacts', () => {
  it('says of a blind repeat by a key that it changes the same contact', async () => {
    const { text } = await play([post(byEmail('a')), post(byEmail('a'))]);
    expect(text).toContain('without a read-back; it changes the contact that has the key');
  });

  it('may do the work of a single creation that failed', async () => {
    const body = { email: newEmail, firstName: 'Ella', mobilePhone: '+46701740699' };
    const sent = [create(body), lookUp(newEmail), post(body)];
    expect(found(await play(sent, { failing: 'createContact' }))).toBe('PASS');
  });
});

it.each<[string, readonly Sent[], string]>([
  [
    'changes by PATCH: late',
    [patchBulk(byId('Old 1')), patch({ street: 'New 2' }), patchBulk(byId('Old 1'))],
    'FAIL R16',
  ],
  ['changes by PATCH: replaced', [patchBulk(byId('Old 1')), patch({ street: 'New 2' })], 'PASS'],
])('and so are %s', async (_, sent, expected) => {
  expect(found(await play(sent, { failing: 'updateContacts' }))).toBe(expected);
});

it.each<[string, readonly Sent[], string]>([
  ['a contact that is there is left as it is', [post(byEmail('New 9')), lookUp(email)], 'PASS'],
  ['an id in a row names nobody', [post(byId('New 9')), read, post(byId('New 9'))], 'FAIL R11'],
  ['a change replaces no creation', [post({ email: newEmail, street: 'a' }), patch({ street: 'b' })], 'FAIL R1'],
])('without `upsert`, a bulk by POST creates: %s', async (_, sent, expected) => {
  expect(found(await play(sent, { variant: 'default' }))).toBe(expected);
});
