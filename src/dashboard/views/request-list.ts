/** Lists requests, and filters them. */
import { button, h, select } from '../ui/elements.ts';
import { requestRow, matchesFilter } from './request-row.ts';
import { renderItems } from '../ui/items.ts';
import type { RequestLog } from '../api/request-log.ts';
import { requestTenant } from '../api/client.ts';

const kinds = [
  ['any', 'Any response'],
  ['ok', '2xx, 3xx'],
  ['rejected', '4xx'],
  ['failed', '5xx'],
  ['lost', 'No response'],
  ['open', 'In flight'],
] as const;

const faults = [
  ['any', 'With or without fault'],
  ['with', 'With a fault'],
  ['without', 'Without a fault'],
] as const;

const none = 'No requests yet, or none that match the filter.';

export function requestList(lines: RequestLog) {
  const text = h('input', {
    type: 'search',
    placeholder: 'Filter: path, method, id, rule, warning   ( / )',
    'aria-label': 'Filter requests',
    autocomplete: 'off',
  });
  const kind = select({ 'aria-label': 'Response' }, kinds);
  const fault = select({ 'aria-label': 'Fault' }, faults);
  const count = h('span', { role: 'status', class: 'faint' });
  const clear = button('Clear', () => requestTenant('DELETE', '/requests'), { title: 'Empties the journal' });
  const list = h('div', { class: 'list', role: 'group', 'aria-label': 'Requests, the newest first' });
  let chosen = '';
  const show = (): void => {
    const filter = { text: text.value, kind: kind.value, fault: fault.value };
    const met = lines.newestFirst().filter((line) => matchesFilter(line, filter));
    count.textContent = met.length === lines.size ? `${met.length}` : `${met.length} of ${lines.size}`;
    renderItems(list, met, { key: ({ id }) => id, render: requestRow, none });
    for (const row of list.children) {
      row.setAttribute('aria-current', String(row.getAttribute('data-id') === chosen));
    }
  };
  for (const field of [text, kind, fault]) field.addEventListener('input', show);
  return {
    toolbar: h('div', { class: 'toolbar' }, text, kind, fault, count, clear),
    list,
    show,
    choose: (id: string): void => {
      chosen = id;
      show();
    },
  };
}
