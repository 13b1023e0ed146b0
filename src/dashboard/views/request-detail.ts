import { addressOf } from '../ui/address.ts';
import { button, h } from '../ui/elements.ts';
import { exchangeCard } from './exchange-card.ts';
import { renderValue } from '../ui/items.ts';
import { requestTenant } from '../api/client.ts';
import type { ExchangeJson } from '../api/api-types.ts';

/** Shows one request in full, next to the list of a view. */
export function requestDetail(view: string) {
  const card = h('div');
  const close = button('Close', () => void (location.hash = addressOf(view)), { class: 'close', title: 'Close (Esc)' });
  const element = h('aside', { class: 'detail', hidden: '', 'aria-label': 'One request', tabindex: '0' }, close, card);
  let chosen = '';
  return {
    element,
    /** Reads and shows the request with this id; an empty one closes what is shown. */
    show: async (id: string): Promise<void> => {
      if (id !== chosen) element.scrollTop = 0;
      chosen = id;
      element.hidden = id === '';
      if (id === '') return;
      const exchange = await requestTenant<ExchangeJson>('GET', `/requests/${encodeURIComponent(id)}`);
      if (exchange.id === chosen) renderValue(card, exchange, exchangeCard);
    },
  };
}
