/** What is told to whoever listens at the webhook, and how that went. */
import { button, chip, folded, json, linkToCall, make, momentOf } from './elements.ts';
import { showItems } from './items.ts';
import { callTenant } from './service.ts';
import type { Delivery } from './shown.ts';
import type { View } from './view.ts';

type Attempt = Delivery['attempts'][number];

interface Totals {
  readonly count: number;
  readonly sent: number;
  readonly delivered: number;
  readonly failed: number;
  readonly pending: number;
  readonly missed: number;
}

/** So many are shown. */
const most = 100;

const attemptItem = ({ at, ms, status, error, fault, rule }: Attempt): HTMLElement =>
  make(
    'li',
    {},
    `${momentOf(at)} ${status === null ? 'no answer' : `answered ${status}`} after ${Math.round(ms)} ms`,
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
}: Delivery): HTMLElement =>
  make(
    'li',
    { class: 'card' },
    make(
      'p',
      {},
      `${number}. `,
      make('strong', {}, eventType),
      ' ',
      chip(status, status),
      dueAt !== null && ` next ${momentOf(dueAt)}`,
      exchange !== null && [' for ', linkToCall(exchange)],
    ),
    make('ol', { class: 'attempts' }, attempts.map(attemptItem)),
    folded('payload', make('pre', {}, json(payload))),
    raw !== null && folded('body as it is sent', make('pre', {}, raw)),
    make('p', { class: 'faint' }, id),
    status !== 'missed' &&
      button('Send again', () => callTenant('POST', `/webhooks/${encodeURIComponent(id)}/redeliver`), {
        'aria-label': `Send ${number} again`,
      }),
  );

const totalsOf = ({ sent, delivered, failed, pending, missed }: Totals): string =>
  `${sent} sent: ${delivered} delivered, ${failed} failed, ${pending} pending${missed > 0 ? `; ${missed} missed, since there is no webhook` : ''}`;

export function webhooksView(): View {
  const totals = make('p', { role: 'status' });
  const list = make('ul', { class: 'cards' });
  return {
    name: 'webhooks',
    title: 'Webhooks',
    element: make('div', {}, totals, list),
    staleBy: /^(webhook|exchange\.(answered|changed)|job|state|tenant|stream)/,
    refresh: async () => {
      const first = await callTenant<Totals>('GET', '/webhooks', { query: { limit: '1' } });
      const offset = Math.max(0, first.count - most);
      const { items } = await callTenant<{ items: Delivery[] }>('GET', '/webhooks', {
        query: { offset: String(offset), limit: String(most) },
      });
      totals.textContent = `${totalsOf(first)}${offset > 0 ? `; the last ${most} are shown` : ''}`;
      showItems(list, items.toReversed(), {
        key: ({ id }) => id,
        look: deliveryItem,
        none: 'Nothing was told to anybody.',
      });
    },
  };
}
