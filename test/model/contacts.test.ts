import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import { openSim } from '../support/open-sim.ts';
import { ContactModel } from './contacts.model.ts';

const type = fc.constantFrom('Member', 'Contact');
const email = fc.constantFrom('a@example.com', 'b@example.com', 'c@example.com');
const fields = fc.record(
  {
    firstName: fc.constantFrom('Ada', 'Eva', '', null),
    email: fc.option(email),
    mobilePhone: fc.constantFrom('+46701740601', '+46701740602', '', null),
    externalId: fc.constantFrom('1', '2', null),
  },
  { requiredKeys: [] },
);
const who = fc.nat({ max: 9 });
const consent = fc.record({ id: fc.constantFrom('newsletter', 'sms'), value: fc.boolean() });

const step = fc.oneof(
  fc.record({ do: fc.constant('create' as const), type, fields }),
  fc.record({ do: fc.constant('update' as const), who, fields }),
  fc.record({ do: fc.constant('consent' as const), who, answers: fc.array(consent, { minLength: 1, maxLength: 2 }) }),
  fc.record({ do: fc.constant('changeType' as const), who, type }),
  fc.record({ do: fc.constant('lookUp' as const), type, email }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Takes one step in the service and in the model; they must agree on what is answered. */
async function take(client: Client, model: ContactModel, taken: Step): Promise<void> {
  if (taken.do === 'create') {
    const { status, body } = await client.post('/t/x/api/v3/contacts', { ...taken.fields, contactType: taken.type });
    expect(status).toBe(model.create(body.id, taken.type, taken.fields));
    return;
  }
  if (taken.do === 'lookUp') {
    const { body } = await client.get(`/t/x/api/v3/contacts/id?email=${taken.email}&contactType=${taken.type}`);
    expect(typeof body === 'string' ? body : undefined).toBe(model.lookUp(taken.type, taken.email));
    return;
  }
  const contact = model.at(taken.who);
  if (!contact) return;
  const path = `/t/x/api/v3/contacts/${contact.id}`;
  if (taken.do === 'update') {
    expect((await client.patch(path, taken.fields)).status).toBe(model.update(contact, taken.fields));
  } else if (taken.do === 'changeType') {
    const { status } = await client.post(`${path}/updateContactType?contactTypeId=${taken.type}`);
    expect(status).toBe(model.changeType(contact, taken.type));
  } else {
    expect((await client.post(path, { consents: taken.answers })).status).toBe(200);
    for (const { id, value } of taken.answers) contact.consents.set(id, value);
  }
}

describe('the simulator', () => {
  it('does with contacts and consents what the model does, whatever the sequence', async () => {
    const client = await openSim({ fixtures: 'test/support/consents.json' });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40, size: 'max' }), async (steps) => {
        client.sim.tenants.remove('x');
        const model = new ContactModel();
        for (const taken of steps) await take(client, model, taken);
        for (const contact of model.contacts) {
          const { body } = await client.get(`/t/x/api/v3/contacts/${contact.id}`);
          expect(body).toMatchObject({ ...contact.fields, contactType: contact.contactType });
          const shown = body.consents.map(({ id, value }: { id: string; value: boolean }) => [id, value]);
          expect(new Map(shown)).toEqual(contact.consents);
        }
      }),
      { numRuns: 300 },
    );
  });
});
