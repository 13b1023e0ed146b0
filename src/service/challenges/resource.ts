import { contactName } from '../contacts/contact-name.ts';
import { countOf, numberIn, sumByContact } from '../resource/duplicate-wording.ts';
import { resource } from '../resource/resource.ts';
import { challengeEndpoints } from './endpoints.ts';
import { expireChallenge } from './expiry.ts';
import { challengeDefinitionsFixture, challengesFixture } from './fixture.ts';
import { challengeDefinitions, challenges } from './schema.ts';

export const challengeResource = resource({
  name: 'challenges',
  endpoints: challengeEndpoints,
  jobs: { 'challenges.end': expireChallenge },
  tables: [challengeDefinitions, challenges],
  fixtures: [challengeDefinitionsFixture, challengesFixture],
  banner: { challengeDefinitions: 'challenges' },
  references: { challengeId: (tenant, id) => tenant.get(challenges, id)?.contactId },
  wording: [
    {
      table: challenges.name,
      describe: (effects, tenant) =>
        sumByContact(
          effects.filter(({ fields }) => 'completedCheckpoints' in fields),
          (effect) => [
            contactName(tenant, tenant.get(challenges, effect.key)?.contactId),
            numberIn(effect, 'completedCheckpoints') - numberIn(effect, 'completedCheckpoints', 'from'),
          ],
        ).map(([contact, amount]) => `${contact} has ${countOf(amount, 'checkpoint')} too many`),
    },
  ],
});
