import { addressOf } from '../ui/address.ts';
import { reportErrors, button, h } from '../ui/elements.ts';
import { exchangeCard } from './exchange-card.ts';
import { renderValue } from '../ui/items.ts';
import { requestTenant } from '../api/client.ts';
import type { ExchangeJson } from '../api/api-types.ts';
import { coalesce } from '../ui/view.ts';

/** Shows one request in full, next to the list. */
export function requestDetail() {
  const card = h('div');
  const close = button('Close', () => void (location.hash = addressOf('requests')), {
    class: 'close',
    title: 'Close (Esc)',
  });
  const element = h('aside', { class: 'detail', hidden: '', 'aria-label': 'One request' }, close, card);
  let chosen = '';
  const show = async (): Promise<void> => {
    element.hidden = chosen === '';
    if (chosen === '') return;
    const exchange = await requestTenant<ExchangeJson>('GET', `/requests/${encodeURIComponent(chosen)}`);
    if (exchange.id === chosen) renderValue(card, exchange, exchangeCard);
  };
  return {
    element,
    showSoon: coalesce(() => reportErrors(show)),
    choose: async (id: string): Promise<void> => {
      if (id === chosen) return;
      chosen = id;
      element.scrollTop = 0;
      await show();
    },
  };
}
