/** Handles keys that work anywhere on the page: / for the search, Esc to close a request. */
import { addressOf } from './address.ts';

/** Listens for the keys; `close` closes the request that is shown in full. */
export function registerShortcuts(close: () => void): void {
  addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !document.querySelector('dialog[open]')) close();
    const isTyping = event.target instanceof Element && event.target.matches('input, select, textarea');
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === '/') focusFilter(event);
  });
}

const searchField = (): HTMLElement | null => document.querySelector<HTMLElement>('main input[type=search]');

/** Focuses the search of the shown view; of the requests, if the view has none. */
function focusFilter(event: Event): void {
  event.preventDefault();
  const field = searchField();
  if (field) return field.focus();
  location.hash = addressOf('requests');
  // The view must be shown first.
  setTimeout(() => searchField()?.focus());
}
