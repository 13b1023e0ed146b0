import { headline } from '../resource/headline.ts';
import { resource } from '../resource/resource.ts';
import { retailerEndpoints } from './endpoints.ts';
import { contactTypesFixture, retailerFixture, storesFixture } from './fixture.ts';
import { contactTypes, retailers, stores } from './schema.ts';

export const retailerResource = resource({
  name: 'retailer',
  endpoints: retailerEndpoints,
  tables: [retailers, contactTypes, stores],
  headlines: [
    headline(retailers, ['name', 'groupCurrency']),
    headline(contactTypes, ['name', 'keyAttribute']),
    headline(stores, ['name', 'city', 'type']),
  ],
  fixtures: [retailerFixture, contactTypesFixture, storesFixture],
  banner: { stores: 'stores' },
});
