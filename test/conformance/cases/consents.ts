import { expect } from 'vitest';
import type { Client } from '../../support/client.ts';
import type { Case } from '../world.ts';
import { astrid } from '../../support/people.ts';
import { openRetailerSim } from '../../support/open-sim.ts';

const contactPath = `/api/v3/contacts/${astrid}`;

const answerTo = ({ post }: Client, value: boolean, comment = 'asked') =>
  post(contactPath, { consents: [{ id: 'newsletter', value, source: 'POS', comment }] });

const consentsOf = async ({ get }: Client) => (await get(`/contactoverview?contactId=${astrid}`)).body.consents;

/** What the overview lists after these answers, one after the other. */
async function afterAnswers(...values: boolean[]): Promise<unknown> {
  const client = await openRetailerSim();
  for (const value of values) await answerTo(client, value);
  return consentsOf(client);
}

const listed = (value: boolean): object[] => [
  { id: 'newsletter', value, date: '2026-03-01T12:00:00.000Z', source: 'POS', comment: 'asked' },
];

/** A set consent never reverts to Not set, whatever is sent. */
const staysSet: Case = async () => {
  const client = await openRetailerSim();
  await answerTo(client, false);
  const tries: unknown[] = [null, [], [{ id: 'newsletter', value: null }], [{ id: 'newsletter' }]];
  for (const consents of tries) await client.patch(contactPath, { consents });
  await client.patch(contactPath, { firstName: 'A' });
  await client.post(contactPath, { consents: [{ id: 'profiling', value: true }] });
  expect((await consentsOf(client))[0]).toEqual(listed(false)[0]);
};

export const consentTransitions = {
  'consent.notSet→yes': async () => expect(await afterAnswers(true)).toEqual(listed(true)),
  'consent.notSet→no': async () => expect(await afterAnswers(false)).toEqual(listed(false)),
  'consent.yes→no': async () => expect(await afterAnswers(true, false)).toEqual(listed(false)),
  'consent.no→yes': async () => expect(await afterAnswers(false, true)).toEqual(listed(true)),
  'consent.yesOrNo→notSet': staysSet,
} satisfies Record<string, Case>;

const definitions = async () => (await (await openRetailerSim()).get('/consents')).body;

export const consentRules = {
  'consentDefinition.texts': async () => {
    const [newsletter, profiling] = await definitions();
    expect(Object.keys(newsletter.metaData.displayText)).toEqual(['en-GB', 'sv-SE']);
    expect(profiling.metaData.displayText).toEqual({});
  },
  'consentDefinition.configuration': async () => {
    const [newsletter] = await definitions();
    expect(newsletter).toMatchObject({ id: 'newsletter', name: 'Newsletter', metaData: expect.any(Object) });
  },
  'consentDefinition.localization': async () => {
    const [{ metaData }] = await definitions();
    expect(metaData.linkText).toEqual({ 'en-GB': 'Terms', 'sv-SE': 'Villkor' });
  },
  'contactConsent.value': async () => {
    expect(await afterAnswers(true)).toEqual(listed(true));
    expect(await afterAnswers(false)).toEqual(listed(false));
  },
  'contactConsent.date': async () => {
    expect(await afterAnswers(true)).toMatchObject([{ date: '2026-03-01T12:00:00.000Z' }]);
  },
  'consent.notSetNotListed': async () => expect(await afterAnswers()).toEqual([]),
  'contacts.fullConsentPicture': async () => {
    const client = await openRetailerSim();
    await answerTo(client, true);
    const all: { id: string }[] = (await client.get('/consents')).body;
    const set: { id: string; value: boolean }[] = await consentsOf(client);
    const picture = all.map(({ id }) => [id, set.find((consent) => consent.id === id)?.value]);
    expect(picture).toEqual([
      ['newsletter', true],
      ['profiling', undefined],
    ]);
  },
} satisfies Record<string, Case>;
