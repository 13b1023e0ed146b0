import type { Effect } from '../../core/state/effects.ts';
import type { TenantContext } from '../../core/tenant/context.ts';
import type { BusinessThing } from '../resource/business-thing.ts';
import { contactName } from './contact-name.ts';
import type { ContactRow } from './schema.ts';
import { createdTooOften } from '../resource/duplicate-wording.ts';
import { headline } from '../resource/headline.ts';
import { resource } from '../resource/resource.ts';
import { processContacts } from './bulk.ts';
import { contactEndpoints } from './endpoints.ts';
import { contactsFixture } from './fixture.ts';
import { contactBatches, contacts } from './schema.ts';
import { contactSubjects } from './subjects.ts';

export const contactResource = resource({
  name: 'contacts',
  endpoints: contactEndpoints,
  jobs: { 'contacts.bulk': processContacts },
  tables: [contacts, contactBatches],
  headlines: [
    headline(contacts, ['attributes.firstName', 'attributes.lastName', 'attributes.email', 'attributes.memberNumber']),
    headline(contactBatches, ['status', 'totalCount', 'failedCount']),
  ],
  fixtures: [contactsFixture],
  generated: {
    amounts: { contacts: { description: 'number of contacts', default: 100, most: 5_000_000 } },
    sections: async () => (await import('./generated-contacts.ts')).generatedContacts,
  },
  banner: { contacts: 'contacts' },
  references: { contactId: (_, id) => id },
  subjects: contactSubjects,
  things: [
    {
      table: contacts.name,
      describe: (effects, tenant) => effects.flatMap((effect) => thingsOfContact(effect, tenant)),
    },
  ],
  wording: [createdTooOften(contacts.name, (effect) => `there is a second contact ${newcomerName(effect)}`)],
});

/** Lists fields that say when and how a contact was written, not what is known of it. */
const bookkeeping: ReadonlySet<string> = new Set(['id', 'createdOn', 'modifiedOn', 'source', 'isApproved']);

function thingsOfContact(effect: Effect, tenant: TenantContext): BusinessThing[] {
  const contact = contactName(tenant, effect.key);
  if (effect.change === 'created') {
    const consents = effect.fields['consents']?.to;
    const answers = Array.isArray(consents) && consents.length > 0 ? [thingOfField(contact, 'consents', consents)] : [];
    return [{ contact: undefined, text: `the contact ${newcomerName(effect)}` }, ...answers];
  }
  return Object.entries(effect.fields)
    .filter(([name]) => !bookkeeping.has(name))
    .map(([name, { to }]) => thingOfField(contact, name, to));
}

const thingOfField = (contact: string, name: string, value: unknown): BusinessThing => ({
  contact,
  text: `the ${name.replace(/^attributes\./, '')} ${valueText(name, value)}`,
  field: name,
});

/** Counts the answers of consents. */
const valueText = (name: string, value: unknown): string =>
  name === 'consents' && Array.isArray(value)
    ? value
        .map(({ id, value: answer }: ContactRow['consents'][number]) => `${id}: ${answer}`)
        .toSorted()
        .join(', ')
    : JSON.stringify(value ?? null);

/** Names a contact by e-mail or phone, or else by name: then no key keeps the service from creating two. */
function newcomerName(effect: Effect): string {
  const [email, phone, ...names] = ['email', 'mobilePhone', 'firstName', 'lastName']
    .map((name) => effect.fields[`attributes.${name}`]?.to)
    .map((value) => (typeof value === 'string' ? value : ''));
  return email || phone || names.filter(Boolean).join(' ') || effect.key;
}
