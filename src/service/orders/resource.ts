import { createdTooOften, textIn } from '../resource/duplicate-wording.ts';
import { resource } from '../resource/resource.ts';
import { orderEndpoints } from './endpoints.ts';
import { processOrder } from './processing.ts';
import { orderJobs, orders, outbox } from './schema.ts';

export const orderResource = resource({
  name: 'orders',
  endpoints: orderEndpoints,
  jobs: { 'orders.process': processOrder },
  tables: [orders, orderJobs, outbox],
  wording: [createdTooOften(outbox.name, (effect) => `order ${textIn(effect, 'orderNumber')} has a message too many`)],
});
