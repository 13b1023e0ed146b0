import * as z from '../../core/validation/deferred-zod.ts';
import { integerIdSchema, latestItemsSchema } from '../resource/card-section.ts';
import type { CardContext, CardSection, LatestItems } from '../resource/card-section.ts';
import { listAssignedChallenges } from './lookup.ts';
import type { AssignedChallenge } from './lookup.ts';
import { challengeResponseSchema, challenges } from './schema.ts';
import { challengeIdSource, serializeChallenge } from './serialize.ts';

type CardChallenge = z.output<typeof challengeResponseSchema> & {
  readonly definition: { readonly id: string; readonly integerId: number; readonly name: string };
};

/** Declares the challenges of a contact's card. */
export const challengeCard = (): { readonly challenges: CardSection<LatestItems<CardChallenge>> } => ({
  challenges: {
    schema: latestItemsSchema(
      challengeResponseSchema.extend({
        definition: z.strictObject({ id: z.guid(), integerId: integerIdSchema, name: z.string() }),
      }),
    ),
    read: (context) => {
      const { tenant, contactId, limit } = context;
      const totalCount = tenant.list(challenges, 'byContact', contactId).size;
      const held = listAssignedChallenges(tenant, contactId, { offset: Math.max(0, totalCount - limit), count: limit });
      return { totalCount, items: held.toReversed().map((one) => showChallenge(context, one)) };
    },
  },
});

function showChallenge({ tenant, self }: CardContext, held: AssignedChallenge): CardChallenge {
  const { id, number, name } = held.definition;
  const shown = serializeChallenge(held, { self, now: tenant.now(), challengeIdOf: challengeIdSource(tenant) });
  return { ...shown, definition: { id, integerId: number, name } };
}
