/** What need not be repeated: it is done, or a newer change has replaced it. */
import { describe, expect, it } from 'vitest';
import { findingsOf, times } from '../support/judged.ts';
import { openFailingSim, openSimWithRules } from '../support/open-sim.ts';
import { astrid, bo } from '../support/people.ts';

const consent = (id: string): object => ({ consents: [{ id, value: true, source: 'POS', comment: '' }] });

it.each([
  ['the same field', { city: 'Umeå' }, { city: 'Luleå' }, 'R1 note'],
  ['more fields', { city: 'Umeå' }, { city: 'Luleå', street: 'Storgatan 1' }, 'R1 note'],
  ['fewer fields', { city: 'Umeå', street: 'Storgatan 1' }, { city: 'Luleå' }, 'R1 fail'],
  ['the same preference', { preferences: { acceptsSms: true } }, { preferences: { acceptsSms: false } }, 'R1 note'],
  ['another preference', { preferences: { acceptsSms: true } }, { preferences: { acceptsEmail: true } }, 'R1 fail'],
  ['another consent', consent('newsletter'), consent('profiling'), 'R1 fail'],
])('a later change of %s', async (_, older, newer, found) => {
  const { patch, ...client } = await openFailingSim({ updateContact: [504] });
  await patch(`/api/v3/contacts/${astrid}`, older);
  await patch(`/api/v3/contacts/${astrid}`, newer);
  expect(await findingsOf({ patch, ...client })).toEqual([found]);
});

it.each([
  ['another contact', `/api/v3/contacts/${bo}`, {}],
  ['another client', `/api/v3/contacts/${astrid}`, { 'x-sim-client': 'till-2' }],
])('a change by or of %s replaces none', async (_, path, headers) => {
  const client = await openFailingSim({ updateContact: [504] });
  const body = { city: 'Umeå' };
  await client.call('PATCH', `/api/v3/contacts/${astrid}`, { body, headers: { 'x-sim-client': 'till-1' } });
  await client.call('PATCH', path, { body: { city: 'Luleå' }, headers: { 'x-sim-client': 'till-1', ...headers } });
  expect(await findingsOf(client)).toEqual(['R1 fail']);
});

describe('the verdict on a cut response', () => {
  it('leaves open whether a client needs the id that was cut from a response', async () => {
    const fault = { phase: 'after', respond: 'partial', end: 'close' } as const;
    const client = await openSimWithRules([{ match: { endpoint: 'createContact' }, fault: [fault] }] as never);
    await times(1, () => client.post('/api/v3/contacts', { email: 'ella.ek@example.com' }));
    expect(await findingsOf(client)).toEqual(['R1 inconclusive']);
  });
});
