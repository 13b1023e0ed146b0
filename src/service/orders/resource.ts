import { contactName } from '../contacts/contact-name.ts';
import { createdTooOften, textIn } from '../resource/duplicate-wording.ts';
import { headline } from '../resource/headline.ts';
import { latestRows } from '../resource/card-section.ts';
import { resource } from '../resource/resource.ts';
import { countField } from '../resource/state-field.ts';
import { orderEndpoints } from './endpoints.ts';
import { processOrder } from './processing.ts';
import { communicationSchema, orderJobs, orderRowSchema, orders, outbox } from './schema.ts';

export const orderResource = resource({
  name: 'orders',
  endpoints: orderEndpoints,
  jobs: { 'orders.process': processOrder },
  tables: [orders, orderJobs, outbox],
  headlines: [
    headline(orders, ['orderNumber', 'content.orderStatus', 'content.totalGrossPrice']),
    headline(orderJobs, ['orderNumber', 'status']),
    headline(outbox, ['channel', 'to', 'template', 'status', 'reason']),
  ],
  state: { orders: countField('orders', (tenant, contactId) => tenant.list(orders, 'byContact', contactId).size) },
  card: () => ({
    orders: latestRows({ table: orders, item: orderRowSchema, show: (order) => order }),
    communications: latestRows({ table: outbox, item: communicationSchema, show: (sent) => sent }),
  }),
  things: [
    {
      table: orders.name,
      describe: (effects, tenant) =>
        effects.flatMap(({ key }) => {
          const order = tenant.get(orders, key);
          if (!order) return [];
          const status = order.versions.at(-1)?.orderStatus ?? 'none';
          return [
            {
              contact: contactName(tenant, order.contactId ?? undefined),
              text: `order ${order.orderNumber} with status ${status}`,
            },
          ];
        }),
    },
  ],
  wording: [createdTooOften(outbox.name, (effect) => `order ${textIn(effect, 'orderNumber')} has a message too many`)],
});
