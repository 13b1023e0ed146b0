/** The calls as a list, and what it is filtered by. */
import { button, make, select } from './elements.ts';
import { callLine, fits } from './call-line.ts';
import { showItems } from './items.ts';
import type { Lines } from './lines.ts';
import { callTenant } from './service.ts';

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

const none = 'No calls yet, or none that the filter lets through.';

export function callList(lines: Lines) {
  const text = make('input', {
    type: 'search',
    placeholder: 'Filter: path, method, id, rule, warning   ( / )',
    'aria-label': 'Filter calls',
    autocomplete: 'off',
  });
  const kind = select({ 'aria-label': 'Answer' }, kinds);
  const fault = select({ 'aria-label': 'Fault' }, faults);
  const count = make('span', { role: 'status', class: 'faint' });
  const clear = button('Clear', () => callTenant('DELETE', '/requests'), { title: 'Empties the journal' });
  const list = make('div', { class: 'list', role: 'group', 'aria-label': 'Calls, the newest first' });
  let chosen = '';
  const show = (): void => {
    const filter = { text: text.value, kind: kind.value, fault: fault.value };
    const met = lines.newestFirst().filter((line) => fits(line, filter));
    count.textContent = met.length === lines.size ? `${met.length}` : `${met.length} of ${lines.size}`;
    showItems(list, met, { key: ({ id }) => id, look: callLine, none });
    for (const row of list.children) {
      row.setAttribute('aria-current', String(row.getAttribute('data-id') === chosen));
    }
  };
  for (const field of [text, kind, fault]) field.addEventListener('input', show);
  return {
    toolbar: make('div', { class: 'toolbar' }, text, kind, fault, count, clear),
    list,
    show,
    choose: (id: string): void => {
      chosen = id;
      show();
    },
  };
}
