import { readFile } from 'node:fs/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { Client } from '../../support/client.ts';
import { folderWith, tidyFolders } from '../../support/folders.ts';
import { astrid, nobody } from '../../support/people.ts';
import { openSim } from '../../support/open-sim.ts';

afterEach(tidyFolders);

/** The fixture of the tests of promotions with something in it replaced. */
async function openWith(sections: Readonly<Record<string, unknown>>): Promise<Client> {
  const offers = JSON.parse(await readFile('test/support/offers.json', 'utf8'));
  return openSim({ fixtures: folderWith({ 'offers.json': { ...offers, ...sections } }) });
}

const offer = { id: '9b1d0c00-0001-4000-8000-00000000000A', type: 'OFFER', name: 'Any' };
const held = { promotionId: offer.id, contactId: astrid };
const voucher = { voucherNumber: 'V-9', contactId: astrid, value: 10, currency: 'SEK' };

describe("a fixture's promotions", () => {
  it('assigns a promotion now and under an id of its own, unless told otherwise', async () => {
    const { get } = await openWith({ promotions: [offer], promotionAssignments: [held, held] });
    const { body } = await get(`/api/v3/promotion-assignments?contactId=${astrid}`);
    expect(body).toMatchObject([{ promotionId: offer.id.toLowerCase() }, { promotionId: offer.id.toLowerCase() }]);
    expect(body[0].id).not.toBe(body[1].id);
  });

  it('takes relative dates', async () => {
    const ending = { ...offer, startsOn: '-P1D', expiresOn: '+P30D' };
    const { get } = await openWith({ promotions: [ending], promotionAssignments: [{ ...held, assignedOn: '-P2D' }] });
    const { body } = await get(`/api/v3/promotion-assignments?contactId=${astrid}`);
    expect(body).toMatchObject([{ expiresOn: '2026-03-31T12:00:00.000Z' }]);
  });

  it.each([
    { place: 'promotions[1].id', sections: { promotions: [offer, offer], promotionAssignments: [] } },
    {
      place: 'promotions[0].redemptionChannels[0].type',
      sections: { promotions: [{ ...offer, redemptionChannels: [{ type: 'FAX', valueType: 'MONEY' }] }] },
    },
    { place: 'promotionAssignments[0].promotionId', sections: { promotionAssignments: [held] } },
    {
      place: 'promotionAssignments[1].contactId',
      sections: { promotions: [offer], promotionAssignments: [held, { ...held, contactId: nobody }] },
    },
    {
      place: 'promotionAssignments[0].assignedon',
      sections: { promotions: [offer], promotionAssignments: [{ ...held, assignedon: '-P1D' }] },
    },
    { place: 'rewardVouchers[1].voucherNumber', sections: { rewardVouchers: [voucher, voucher] } },
    { place: 'rewardVouchers[0].contactId', sections: { rewardVouchers: [{ ...voucher, contactId: nobody }] } },
    { place: 'rewardVouchers[0].currency', sections: { rewardVouchers: [{ ...voucher, currency: 'kronor' }] } },
  ])('does not load a mistake at $place', async ({ place, sections }) => {
    await expect(openWith(sections)).rejects.toThrow(place);
  });
});
