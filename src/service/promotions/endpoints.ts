import * as z from '../../core/validation/deferred-zod.ts';
import { apiResponse, endpoint } from '../../core/exchange/endpoint.ts';
import { subjectOf } from '../../core/exchange/subject.ts';
import type { SentFields } from '../../core/exchange/subject.ts';
import { itemsShown, pageSchema, pageQuery, paginate } from '../../core/exchange/pagination.ts';
import { requiredText, text } from '../../core/validation/field-types.ts';
import { serializePromotionAssignment } from './serialize.ts';
import { listAssignments } from './operations.ts';
import { redeemPromotion } from './redemption.ts';
import { channelTypeSchema, promotionAssignments, redeemBody, promotionAssignmentResponseSchema } from './schema.ts';

const tag = 'Promotions';

/** Holds a contact of the default fixture, and a promotion assigned to her. */
const astrid = '5a0e7c1e-0001-4000-8000-000000000001';
const coupon = '9b1d0c00-aaaa-4000-8000-000000000001';

/** True when all that is shown of a promotion, or of one assignment of it, is used. */
function isRedeemedIn(shown: readonly SentFields[], id: string | undefined): boolean {
  const meant = shown.filter((one) => one['id'] === id || one['promotionId'] === id);
  return meant.length > 0 && meant.every(({ redeemed }) => redeemed === true);
}

export const promotionEndpoints = [
  endpoint({
    id: 'listPromotionAssignments',
    method: 'GET',
    path: '/api/v3/promotion-assignments',
    tag,
    summary: "A contact's active promotions, redeemed ones included, all or those of one redemption channel",
    query: z.object({ contactId: requiredText, redemptionChannelType: channelTypeSchema.optional(), ...pageQuery }),
    responses: {
      200: z.union([z.array(promotionAssignmentResponseSchema), pageSchema(promotionAssignmentResponseSchema)]),
    },
    errors: ['ContactNotFound', 'ValidationError'],
    assumptions: ['A-06', 'A-31', 'A-53'],
    retry: 'safe',
    subjects: ({ query }) => subjectOf('contact', query['contactId']),
    lists: { table: promotionAssignments.name, filters: ['redemptionChannelType'] },
    examples: [{ query: { contactId: astrid, redemptionChannelType: 'POS' }, status: 200 }],
    handle: (tenant, { query, self }) => {
      const held = listAssignments(tenant, query);
      const page = paginate({
        self,
        page: query,
        totalCount: held.length,
        items: ({ offset, count }) =>
          held.slice(offset, offset + count).map((one) => serializePromotionAssignment(tenant, one)),
        counts: tenant.assumption('A-06'),
      });
      return apiResponse(200, tenant.assumption('A-31') === 'envelope' ? page : page.items);
    },
  }),
  endpoint({
    id: 'redeemPromotion',
    method: 'POST',
    path: '/api/v3/promotions/codes/{promotionId}/redeem',
    tag,
    summary: 'Marks a promotion as used by a contact, so that it is not used again',
    query: z.object({
      contactId: text
        .optional()
        .describe(
          'Names the contact that has the promotion; needed when the path names a promotion that several contacts hold',
        ),
    }),
    body: redeemBody.optional(),
    bodyRules: { optional: true },
    responses: { 200: promotionAssignmentResponseSchema },
    errors: [
      'NoData',
      'ValidationError',
      'ContactNotFound',
      'PromotionNotFound',
      'PromotionNotAssociatedWithContact',
      'PromotionAlreadyRedeemed',
      'PromotionNotValidForRedemptionChannel',
      'PromotionExpired',
    ],
    assumptions: ['A-32', 'A-33', 'A-53'],
    retry: 'once',
    idempotencyKey: 'path',
    readBack: ['listPromotionAssignments'],
    subjects: ({ params, query }) => [
      ...subjectOf('assignment', params['promotionId']),
      ...subjectOf('assignmentOwner', params['promotionId']),
      ...subjectOf('contact', query['contactId']),
    ],
    work: ({ params, query: { contactId } }) => {
      const ids = contactId ? [params['promotionId'], contactId] : [params['promotionId']];
      return [{ subject: subjectOf('redeemable', ...ids), effect: 'redemption' }];
    },
    wanted: 'the used coupon',
    isShownIn: (_, { params }, shown) => isRedeemedIn(itemsShown(shown), params['promotionId']?.toLowerCase()),
    examples: [{ params: { promotionId: coupon }, body: { redemptionChannel: 'POS' }, status: 200 }],
    handle: (tenant, { params, query, body }) =>
      apiResponse(
        200,
        serializePromotionAssignment(
          tenant,
          redeemPromotion(tenant, { ...query, ...body, id: params.promotionId ?? '' }),
        ),
      ),
  }),
];
