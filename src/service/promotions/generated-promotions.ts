import { seededGuid } from '../../core/lib/random.ts';
import { contactId, days } from '../resource/generator-context.ts';
import type { GeneratorContext } from '../resource/generator-context.ts';
import type { GeneratedSection } from '../resource/generated-rows.ts';
import { rowSampler } from '../resource/row-sampler.ts';

export const generatedPromotions: readonly GeneratedSection[] = [
  { name: 'promotions', count: (amountOf) => amountOf('promotions'), rowOf: generatePromotion },
  {
    name: 'promotionAssignments',
    count: (amountOf) => (amountOf('promotions') > 0 ? amountOf('contacts') : 0),
    rowOf: generateAssignment,
  },
];

const channelTypes = ['POS', 'ECOM', 'OTHER'] as const;
const valueTypes = ['PERCENT', 'MONEY', 'EXTERNALOFFER', 'MANUAL', 'SWIPE'] as const;

const promotionId = ({ seed }: GeneratorContext, p: number): string => seededGuid(seed, 'generate/promotion', p);

/** Generates the p-th promotion: channels and value types take turns. */
function generatePromotion(context: GeneratorContext, p: number): object {
  const sampler = rowSampler(context.seed, `promotion/${p}`);
  const type = channelTypes[p % channelTypes.length];
  const valueType = valueTypes[p % valueTypes.length];
  const hasValue = valueType === 'PERCENT' || valueType === 'MONEY';
  const value = hasValue ? 10 * sampler.between('value', 1, 5) : null;
  const unit = valueType === 'PERCENT' ? '%' : context.setup.retailer.groupCurrency;
  const heading = hasValue ? `${value} ${unit} off` : 'A treat';
  return {
    id: promotionId(context, p),
    externalId: `OFFER-${p}`,
    type: 'OFFER',
    name: `Offer ${p}`,
    heading,
    description: `${heading} for members`,
    startsOn: context.ago(days(sampler.between('started', 61, 120))),
    expiresOn: context.ago(-days(sampler.between('expires', 30, 365))),
    redemptionChannels: [{ type, valueType, value, instruction: 'Show the offer before you pay' }],
  };
}

/** Assigns one of the promotions to the n-th contact; one of ten contacts has redeemed it. */
function generateAssignment(context: GeneratorContext, n: number): object {
  const sampler = rowSampler(context.seed, `assignment/${n}`);
  const assigned = sampler.between('assigned', 600, days(60));
  return {
    id: seededGuid(context.seed, 'generate/assignment', n),
    promotionId: promotionId(context, (n % context.amountOf('promotions')) + 1),
    contactId: contactId(context, n),
    assignedOn: context.ago(assigned),
    ...(sampler.percent('redeemed', 10) && { redeemedOn: context.ago(assigned - 300) }),
  };
}
