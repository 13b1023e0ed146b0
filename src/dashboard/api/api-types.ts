/** Types of what the control API returns, from the schemas that it declares. */
import type * as z from 'zod';
import type { clockSchema } from '../../admin/clock.ts';
import type { deliverySchema } from '../../admin/serialize/webhook-deliveries.ts';
import type { exchangeSummarySchema, exchangeSchema } from '../../admin/serialize/exchanges.ts';
import type { listedExchangeSchema } from '../../admin/serialize/request-labels.ts';
import type { activeRuleSchema, faultKindSchema } from '../../admin/faults.ts';
import type { executedJobSchema } from '../../admin/serialize/executed-jobs.ts';
import type { jobSchema, queueSizesSchema } from '../../admin/queue.ts';
import type { importListSchema } from '../../admin/imports.ts';
import type { importBatchSchema } from '../../admin/serialize/imports.ts';
import type { activeScenarioSchema } from '../../admin/scenario.ts';
import type { timelineSchema } from '../../admin/views/timeline.ts';
import type { tenantSchema } from '../../admin/tenants.ts';

export type { ContactCard } from '../../admin/contacts/contact-card.ts';
export type { OperationJson as ShownOperation } from '../../admin/verify.ts';
export type { Verdict } from '../../admin/verify.ts';
export type ExchangeLineJson = z.infer<typeof exchangeSummarySchema>;
export type ListedExchangeJson = z.infer<typeof listedExchangeSchema>;
export type TimelineJson = z.infer<typeof timelineSchema>;
export type ExchangeJson = z.infer<typeof exchangeSchema>;
export type EffectJson = ExchangeJson['effects'][number];
export type ExecutedJobJson = z.infer<typeof executedJobSchema>;
export type ClockJson = z.infer<typeof clockSchema>;
export type ClockChangeJson = ClockJson & {
  readonly executed: readonly ExecutedJobJson[];
  readonly warnings: ExchangeJson['warnings'];
};
export type JobJson = z.infer<typeof jobSchema>;
export type QueueSizesJson = z.infer<typeof queueSizesSchema>;
export type FaultKindJson = z.infer<typeof faultKindSchema>;
export type ActiveRuleJson = z.infer<typeof activeRuleSchema>;
export type ActiveScenarioJson = z.infer<typeof activeScenarioSchema>;
export type WebhookDeliveryJson = z.infer<typeof deliverySchema>;
export type ImportListJson = z.infer<typeof importListSchema>;
export type ImportBatchJson = z.infer<typeof importBatchSchema>;
export type TenantJson = z.infer<typeof tenantSchema>;
