/** Keys that work anywhere on the page: / for the filter, arrows through the requests, Esc to close one. */
import { addressOf } from './address.ts';

/** Listens for the keys; `close` closes the request that is shown in full. */
export function registerShortcuts(close: () => void): void {
  addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !document.querySelector('dialog[open]')) close();
    const isTyping = event.target instanceof Element && event.target.matches('input, select, textarea');
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === '/') focusFilter(event);
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') moveInList(event);
  });
}

function focusFilter(event: Event): void {
  event.preventDefault();
  location.hash = addressOf('requests');
  // The view must be shown first.
  setTimeout(() => document.querySelector<HTMLElement>('input[type=search]')?.focus());
}

function moveInList(event: KeyboardEvent): void {
  const rows = [...document.querySelectorAll<HTMLElement>('.list > a')];
  const at = rows.findIndex((row) => row === document.activeElement);
  if (at < 0) return;
  event.preventDefault();
  rows[at + (event.key === 'ArrowDown' ? 1 : -1)]?.focus();
}
