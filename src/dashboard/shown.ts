/** What the control API answers, by the schemas that it declares. */
import type * as z from 'zod';
import type { clockSchema } from '../http/control/clock.ts';
import type { deliverySchema } from '../http/control/deliveries.ts';
import type { exchangeLineSchema, exchangeSchema } from '../http/control/exchanges.ts';
import type { activeRuleSchema } from '../http/control/faults.ts';
import type { happeningSchema } from '../http/control/formats.ts';
import type { jobSchema, queueSizesSchema } from '../http/control/queue.ts';
import type { activeScenarioSchema } from '../http/control/scenario.ts';
import type { tenantSchema } from '../http/control/tenants.ts';

export type { ContactCard } from '../http/control/card.ts';
export type { ShownOperation } from '../verdict/shown-operations.ts';
export type { Verdict } from '../verdict/verdict.ts';
export type ExchangeLine = z.infer<typeof exchangeLineSchema>;
export type Exchange = z.infer<typeof exchangeSchema>;
export type Effect = Exchange['effects'][number];
export type Happening = z.infer<typeof happeningSchema>;
export type ClockFace = z.infer<typeof clockSchema>;
export type Turned = ClockFace & { readonly happened: readonly Happening[]; readonly warnings: Exchange['warnings'] };
export type Job = z.infer<typeof jobSchema>;
export type QueueSizes = z.infer<typeof queueSizesSchema>;
export type ActiveRule = z.infer<typeof activeRuleSchema>;
export type ActiveScenario = z.infer<typeof activeScenarioSchema>;
export type Delivery = z.infer<typeof deliverySchema>;
export type TenantLine = z.infer<typeof tenantSchema>;
