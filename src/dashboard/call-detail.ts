import { attempt, button, make } from './elements.ts';
import { exchangeCard } from './exchange.ts';
import { showValue } from './items.ts';
import { callTenant } from './service.ts';
import type { Exchange } from './shown.ts';
import { soon } from './view.ts';

/** One call in full, beside the list. */
export function callDetail() {
  const card = make('div');
  const close = button('Close', () => void (location.hash = 'calls'), { class: 'close', title: 'Close (Esc)' });
  const element = make('aside', { class: 'detail', hidden: '', 'aria-label': 'One call' }, close, card);
  let chosen = '';
  const show = async (): Promise<void> => {
    element.hidden = chosen === '';
    if (chosen === '') return;
    const exchange = await callTenant<Exchange>('GET', `/requests/${encodeURIComponent(chosen)}`);
    if (exchange.id === chosen) showValue(card, exchange, exchangeCard);
  };
  return {
    element,
    showSoon: soon(() => attempt(show)),
    choose: async (id: string): Promise<void> => {
      if (id === chosen) return;
      chosen = id;
      element.scrollTop = 0;
      await show();
    },
  };
}
