import * as z from '../../core/validation/deferred-zod.ts';
import { contacts } from '../contacts/schema.ts';
import type { CardContext } from '../resource/card-section.ts';
import { headline } from '../resource/headline.ts';
import { resource } from '../resource/resource.ts';
import { consentEndpoints } from './endpoints.ts';
import { consentsFixture } from './fixture.ts';
import { consents, contactConsentSchema } from './schema.ts';

export const consentResource = resource({
  name: 'consents',
  endpoints: consentEndpoints,
  tables: [consents],
  headlines: [headline(consents, ['name'])],
  fixtures: [consentsFixture],
  banner: { consents: 'consents' },
  state: {
    consents: {
      kind: 'flag-by-name',
      description: '{"<consent>": true}',
      read: (tenant, contactId, name) => ({
        place: `consent ${name}`,
        value: tenant.get(contacts, contactId)?.consents.find(({ id }) => id === name)?.value,
      }),
    },
  },
  card: () => ({
    consents: {
      schema: z.array(contactConsentSchema),
      read: ({ tenant, contactId }: CardContext) => [...(tenant.get(contacts, contactId)?.consents ?? [])],
    },
  }),
});
