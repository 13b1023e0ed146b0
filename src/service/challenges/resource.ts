import { plural } from '../../core/lib/plural.ts';
import * as z from '../../core/validation/deferred-zod.ts';
import { requiredText } from '../../core/validation/field-types.ts';
import type { Effect } from '../../core/state/effects.ts';
import type { TenantContext } from '../../core/tenant/context.ts';
import { contactName } from '../contacts/contact-name.ts';
import { numberIn, sumByContact } from '../resource/duplicate-wording.ts';
import { headline } from '../resource/headline.ts';
import { triggerContactId, triggerEvent } from '../resource/trigger-event.ts';
import { resource } from '../resource/resource.ts';
import { challengeCard } from './card.ts';
import { challengeEndpoints } from './endpoints.ts';
import { expireChallenge } from './expiry.ts';
import { challengeDefinitionsFixture, challengesFixture } from './fixture.ts';
import { assignChallenge } from './operations.ts';
import { listAssignedChallenges } from './lookup.ts';
import { challengeDefinitions, challenges } from './schema.ts';
import { challengeSubjects } from './subjects.ts';

export const challengeResource = resource({
  name: 'challenges',
  endpoints: challengeEndpoints,
  jobs: { 'challenges.end': expireChallenge },
  tables: [challengeDefinitions, challenges],
  headlines: [
    headline(challengeDefinitions, ['name', 'status', 'requiredNumberOfCheckpoints']),
    headline(challenges, ['definitionId', 'completedCheckpoints', 'challengeStart']),
  ],
  fixtures: [challengeDefinitionsFixture, challengesFixture],
  banner: { challengeDefinitions: 'challenges' },
  references: { challengeId: (tenant, id) => tenant.get(challenges, id)?.contactId },
  state: {
    checkpoints: {
      kind: 'amount-by-name',
      description:
        'Counts the checkpoints that the contact has over all challenges, or {"<definition>": …} of those named',
      names: /^[\da-f-]{36}$/i,
      hint: 'of challenge definitions by their ids',
      read: (tenant, contactId, name) => ({
        place: `number of checkpoints${name === undefined ? '' : ` of ${name}`}`,
        value: sumCheckpoints(tenant, contactId, name?.toLowerCase()),
      }),
    },
  },
  triggers: {
    assignChallenge: () =>
      triggerEvent({
        schema: z.strictObject({
          event: z.literal('assignChallenge'),
          contactId: triggerContactId,
          definitionId: requiredText.describe('Definition of a challenge'),
        }),
        errors: ['ContactNotFound', 'MultipleMatches', 'ChallengeDefinitionNotFound'],
        apply: assignChallenge,
      }),
  },
  card: challengeCard,
  subjects: challengeSubjects,
  things: [
    {
      table: challenges.name,
      describe: (effects, tenant) =>
        checkpointsOf(effects, tenant).map(([contact, amount]) => ({ contact, text: 'checkpoint', amount })),
    },
  ],
  wording: [
    {
      table: challenges.name,
      describe: (effects, tenant) =>
        checkpointsOf(effects, tenant).map(
          ([contact, amount]) => `${contact} has ${plural(amount, 'checkpoint')} too many`,
        ),
    },
  ],
});

const checkpointsOf = (effects: readonly Effect[], tenant: TenantContext): [contact: string, amount: number][] =>
  sumByContact(
    effects.filter(({ fields }) => 'completedCheckpoints' in fields),
    (effect) => [
      contactName(tenant, tenant.get(challenges, effect.key)?.contactId),
      numberIn(effect, 'completedCheckpoints') - numberIn(effect, 'completedCheckpoints', 'from'),
    ],
  );

const sumCheckpoints = (tenant: TenantContext, contactId: string, definitionId: string | undefined): number =>
  listAssignedChallenges(tenant, contactId)
    .filter(({ challenge }) => definitionId === undefined || challenge.definitionId === definitionId)
    .reduce((sum, { challenge }) => sum + challenge.completedCheckpoints, 0);
