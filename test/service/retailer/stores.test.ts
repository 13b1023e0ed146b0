import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { folderWith, tidyFolders } from '../../support/folders.ts';
import { openSim } from '../../support/open-sim.ts';

afterEach(tidyFolders);

/** Every field of the public model of a store; `currency` of a fixture is not one. */
const unset = {
  adjacentZipCodes: null,
  city: null,
  countryCode: null,
  county: null,
  email: null,
  emailUnsubscribeText: null,
  emailViewOnlineText: null,
  footerHtml: null,
  headerHtml: null,
  homepage: null,
  locale: null,
  phoneNumber: null,
  region: null,
  senderAddress: null,
  senderName: null,
  street: null,
  timeZone: null,
  zipCode: null,
};

const stores = [
  { externalId: '200', name: 'Oslo', city: 'Oslo', countryCode: 'NO', locale: 'nb-NO', currency: 'NOK' },
  { externalId: '100', name: 'Web shop', type: 'ECOM' },
  { externalId: '300', name: 'Closed', active: false },
];

describe('GET /stores', () => {
  it('lists the open stores by their ids, with every field of the public model', async () => {
    const folder = folderWith({
      'stores.json': { contactTypes: [{ id: 'Member', name: 'Member', keyAttribute: 'email' }], stores },
    });
    const { get } = await openSim({ fixtures: join(folder, 'stores.json') });
    const web = { ...unset, externalId: '100', name: 'Web shop', type: 'ECOM', active: true };
    const place = { city: 'Oslo', countryCode: 'NO', locale: 'nb-NO' };
    const oslo = { ...unset, ...place, externalId: '200', name: 'Oslo', type: 'RETAIL', active: true };
    expect((await get('/api/v3/stores')).body).toEqual([web, oslo]);
    const closed = { ...unset, externalId: '300', name: 'Closed', type: 'RETAIL', active: false };
    expect((await get('/api/v3/stores?includeInactive=true')).body).toEqual([web, oslo, closed]);
  });
});
