/** Shows the filters in force, each with a way to take it away, and a button that takes all away. */
import { button, h } from './elements.ts';
import { renderItems } from './items.ts';

export interface Filter {
  /** Names it in a few words, unlike the others: `R10`, `“shoes”`. */
  readonly label: string;
  readonly remove: () => void;
}

/** Creates the list of filters, and the button that removes all of them by `onClear`. */
export function filterChips(onClear: () => void) {
  let filters: readonly Filter[] = [];
  const element = h('ul', { class: 'filters', 'aria-label': 'Filters in force' });
  const all = button('Show all', () => keepFocus(onClear), { title: 'Takes all filters away (0)' });
  const chip = (label: string): HTMLElement => {
    const remove = (): void => filters.find((one) => one.label === label)?.remove();
    const chipButton = button(label, () => keepFocus(remove), {
      class: 'filter',
      title: 'Take this filter away',
      'aria-label': `${label}: take this filter away`,
    });
    chipButton.append(h('span', { 'aria-hidden': 'true' }, ' ✕'));
    return h('li', {}, chipButton);
  };
  /** Moves the focus on when a key was pressed on a button that is then gone. */
  const keepFocus = (work: () => void): void => {
    const isByKey = document.activeElement?.matches(':focus-visible');
    work();
    const next = element.querySelector('button') ?? document.querySelector<HTMLElement>('main input[type=search]');
    if (isByKey) next?.focus();
  };
  const show = (shown: readonly Filter[]): void => {
    filters = shown;
    element.hidden = all.disabled = shown.length === 0;
    const labels = shown.map(({ label }) => label);
    renderItems(element, labels, { key: (label) => label, render: chip });
  };
  show([]);
  return { element, all, show };
}
