/** The journal as it grows, and one call of it in full. */
import { attempt, button, fill, make, select } from './elements.ts';
import { callLine, fits } from './call-line.ts';
import type { CallFilter } from './call-line.ts';
import { exchangeCard } from './exchange.ts';
import { showItems } from './items.ts';
import { callTenant } from './service.ts';
import type { Exchange, ExchangeLine } from './shown.ts';
import type { Told } from './stream.ts';
import { soon } from './view.ts';
import type { View } from './view.ts';

/** So many calls are kept here; the sim keeps more. */
const most = 500;

const kinds = [
  ['any', 'Any answer'],
  ['ok', '2xx, 3xx'],
  ['refused', '4xx'],
  ['failed', '5xx'],
  ['lost', 'No answer'],
  ['open', 'Under way'],
] as const;

const faults = [
  ['any', 'With or without fault'],
  ['with', 'With a fault'],
  ['without', 'Without a fault'],
] as const;

function filterBar() {
  const text = make('input', {
    type: 'search',
    placeholder: 'Filter: path, method, id, rule, warning   ( / )',
    'aria-label': 'Filter calls',
    autocomplete: 'off',
  });
  const kind = select({ 'aria-label': 'Answer' }, kinds);
  const fault = select({ 'aria-label': 'Fault' }, faults);
  const filter = (): CallFilter => ({ text: text.value, kind: kind.value, fault: fault.value });
  return { text, kind, fault, filter };
}

/** The last calls, by their ids, the newest last. */
class Lines {
  readonly #byId = new Map<string, ExchangeLine>();

  get size(): number {
    return this.#byId.size;
  }

  put(line: ExchangeLine): void {
    this.#byId.set(line.id, line);
    if (this.#byId.size <= most) return;
    const [first] = this.#byId.keys();
    if (first !== undefined) this.#byId.delete(first);
  }

  clear(): void {
    this.#byId.clear();
  }

  newestFirst(): ExchangeLine[] {
    return [...this.#byId.values()].toSorted((a, b) => b.number - a.number);
  }
}

/** The calls that an event tells of. */
function linesIn({ event, data }: Told): ExchangeLine | undefined {
  // The sim tells what it declares.
  if (event.startsWith('exchange.')) return data as ExchangeLine;
  return event === 'rule.fired' ? (data as { readonly exchange: ExchangeLine }).exchange : undefined;
}

export function callsView(): View {
  const lines = new Lines();
  const bar = filterBar();
  const count = make('span', { role: 'status', class: 'faint' });
  const list = make('div', { class: 'list', 'aria-label': 'Calls, the newest first' });
  const detail = make('aside', { class: 'detail', hidden: '', 'aria-label': 'One call' });
  let shown = '';

  const show = (): void => {
    const met = lines.newestFirst().filter((line) => fits(line, bar.filter()));
    count.textContent = met.length === lines.size ? `${met.length}` : `${met.length} of ${lines.size}`;
    showItems(list, met, {
      key: ({ id }) => id,
      look: callLine,
      none: 'No calls yet, or none that the filter lets through.',
    });
    for (const row of list.children) {
      row.setAttribute('aria-current', String(row.getAttribute('data-id') === shown));
    }
  };
  const showSoon = soon(() => new Promise((resolve) => requestAnimationFrame(() => resolve(show()))));
  const showDetail = async (): Promise<void> => {
    detail.hidden = shown === '';
    if (shown === '') return;
    const id = shown;
    const exchange = await callTenant<Exchange>('GET', `/requests/${encodeURIComponent(id)}`);
    if (id !== shown) return;
    const close = button('Close', () => void (location.hash = 'calls'), { class: 'close', title: 'Close (Esc)' });
    fill(detail, close, exchangeCard(exchange));
  };
  const showDetailSoon = soon(() => attempt(showDetail));
  const load = async (): Promise<void> => {
    const { items } = await callTenant<{ items: ExchangeLine[] }>('GET', '/requests', { query: { last: '300' } });
    for (const line of items) lines.put(line);
  };

  const hear = (told: Told): void => {
    const line = linesIn(told);
    if (line) lines.put(line);
    if (line?.id === shown && shown !== '') showDetailSoon();
    if (/^(journal\.cleared|tenant\.replaced|stream\.opened)$/.test(told.event)) lines.clear();
    if (told.event === 'stream.opened') void attempt(load).then(showSoon);
    showSoon();
  };
  bar.text.addEventListener('input', show);
  bar.kind.addEventListener('change', show);
  bar.fault.addEventListener('change', show);
  const clear = button('Clear', () => callTenant('DELETE', '/requests'), { title: 'Empties the journal' });
  const toolbar = make('div', { class: 'toolbar' }, bar.text, bar.kind, bar.fault, count, clear);
  return {
    name: 'calls',
    title: 'Calls',
    element: make('div', {}, toolbar, make('div', { class: 'columns' }, list, detail)),
    staleBy: /^$/,
    hear,
    refresh: async (about) => {
      const isOther = about !== shown;
      shown = about;
      show();
      if (isOther) await showDetail();
    },
  };
}
