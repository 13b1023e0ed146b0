/** Lists webhook deliveries with their attempts. */
import { button, chip, collapsible, json, requestLink, h } from '../ui/elements.ts';
import { moment, momentAfter } from '../ui/moments.ts';
import { renderItems } from '../ui/items.ts';
import { requestTenant } from '../api/client.ts';
import type { WebhookDeliveryJson } from '../api/api-types.ts';
import type { View } from '../ui/view.ts';

type WebhookAttemptJson = WebhookDeliveryJson['attempts'][number];

interface Totals {
  readonly count: number;
  readonly sent: number;
  readonly delivered: number;
  readonly failed: number;
  readonly pending: number;
  readonly missed: number;
}

/** Limits the deliveries that are shown. */
const most = 100;

const attemptItem = (
  { at, ms, status, error, fault, rule }: WebhookAttemptJson,
  place: number,
  all: readonly WebhookAttemptJson[],
): HTMLElement =>
  h(
    'li',
    {},
    place === 0 ? moment(at) : momentAfter(at, all[place - 1]?.at ?? at),
    ` · ${status === null ? 'no response' : `status ${status}`} after ${Math.round(ms)} ms`,
    error !== null && `: ${error}`,
    fault !== null && [' ', chip(`${fault} by ${rule ?? 'a rule'}`, 'fault')],
  );

const deliveryItem = ({
  id,
  number,
  eventType,
  status,
  dueAt,
  exchange,
  attempts,
  payload,
  raw,
}: WebhookDeliveryJson): HTMLElement =>
  h(
    'li',
    { class: 'card' },
    h(
      'p',
      {},
      `${number}. `,
      h('strong', {}, eventType),
      ' ',
      chip(status, status),
      dueAt !== null && [' next ', moment(dueAt)],
      exchange !== null && [' for ', requestLink(exchange)],
    ),
    h('ol', { class: 'attempts' }, attempts.map(attemptItem)),
    collapsible('payload', h('pre', {}, json(payload))),
    raw !== null && collapsible('body as sent', h('pre', {}, raw)),
    h('p', { class: 'faint' }, id),
    status !== 'missed' &&
      button('Send again', () => requestTenant('POST', `/webhooks/${encodeURIComponent(id)}/redeliver`), {
        'aria-label': `Send ${number} again`,
      }),
  );

const totalsOf = ({ sent, delivered, failed, pending, missed }: Totals): string =>
  `${sent} sent: ${delivered} delivered, ${failed} failed, ${pending} pending${missed > 0 ? `; ${missed} missed, since there is no webhook` : ''}`;

export function webhooksView(): View {
  const totals = h('p', { role: 'status' });
  const list = h('ul', { class: 'cards' });
  return {
    name: 'webhooks',
    title: 'Webhooks',
    element: h('div', {}, totals, list),
    refreshOn: /^(webhook|request\.(completed|updated)|job|state|snapshot|tenant|stream)/,
    refresh: async () => {
      const first = await requestTenant<Totals>('GET', '/webhooks', { query: { limit: '1' } });
      const offset = Math.max(0, first.count - most);
      const { items } = await requestTenant<{ items: WebhookDeliveryJson[] }>('GET', '/webhooks', {
        query: { offset: String(offset), limit: String(most) },
      });
      totals.textContent = `${totalsOf(first)}${offset > 0 ? `; the last ${most} are shown` : ''}`;
      renderItems(list, items.toReversed(), {
        key: ({ id }) => id,
        render: deliveryItem,
        none: 'No webhooks yet.',
      });
    },
  };
}
