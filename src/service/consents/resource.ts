import { resource } from '../resource/resource.ts';
import { consentEndpoints } from './endpoints.ts';
import { consentsFixture } from './fixture.ts';
import { consents } from './schema.ts';

export const consentResource = resource({
  name: 'consents',
  endpoints: consentEndpoints,
  tables: [consents],
  fixtures: [consentsFixture],
  banner: { consents: 'consents' },
});
