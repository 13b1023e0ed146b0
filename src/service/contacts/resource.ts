import type { Effect } from '../../core/state/effects.ts';
import { createdTooOften } from '../resource/duplicate-wording.ts';
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
  fixtures: [contactsFixture],
  banner: { contacts: 'contacts' },
  references: { contactId: (_, id) => id },
  subjects: contactSubjects,
  wording: [createdTooOften(contacts.name, (effect) => `there is a second contact ${newcomerName(effect)}`)],
});

/** Names a contact by e-mail or phone, or else by name: then no key keeps the service from creating two. */
function newcomerName(effect: Effect): string {
  const [email, phone, ...names] = ['email', 'mobilePhone', 'firstName', 'lastName']
    .map((name) => effect.fields[`attributes.${name}`]?.to)
    .map((value) => (typeof value === 'string' ? value : ''));
  return email || phone || names.filter(Boolean).join(' ') || effect.key;
}
