import { replaceContent } from './elements.ts';
import type { Child } from './elements.ts';

interface Looks<Item> {
  readonly key: (item: Item) => string;
  readonly render: (item: Item) => HTMLElement;
  /** Fills the place when there are no items. */
  readonly none?: string;
}

interface Known {
  readonly text: string;
  readonly element: HTMLElement;
}

const known = new WeakMap<Element, ReadonlyMap<string, Known>>();

/** Shows items in an element; an unchanged item keeps its element, with focus and unfolded parts. */
export function renderItems<Item>(parent: Element, items: readonly Item[], { key, render, none }: Looks<Item>): void {
  const before = known.get(parent) ?? new Map<string, Known>();
  const now = new Map<string, Known>();
  for (const item of items) {
    const text = JSON.stringify(item);
    const same = before.get(key(item));
    now.set(key(item), same?.text === text ? same : { text, element: inPlaceOf(same?.element, render(item)) });
  }
  known.set(parent, now);
  const wanted = [...now.values()].map(({ element }) => element);
  if (wanted.length === 0 && none !== undefined) {
    parent.replaceChildren(
      Object.assign(document.createElement(parent.matches('ul, ol') ? 'li' : 'p'), {
        className: 'none',
        textContent: none,
      }),
    );
    return;
  }
  const kept = new Set<Element>(wanted);
  for (const child of parent.querySelectorAll(':scope > *')) if (!kept.has(child)) child.remove();
  for (const [place, element] of wanted.entries()) {
    if (parent.children[place] !== element) parent.insertBefore(element, parent.children[place] ?? null);
  }
}

/** Puts the new element of a changed item in place, and moves the focus to it. */
function inPlaceOf(before: HTMLElement | undefined, element: HTMLElement): HTMLElement {
  if (!before?.contains(document.activeElement)) return element;
  const isInner = before !== document.activeElement;
  before.replaceWith(element);
  (isInner ? element.querySelector<HTMLElement>('a, button') : element)?.focus();
  return element;
}

const lastShown = new WeakMap<Element, string>();

/** Shows a value in an element, and renders again only when the value has changed. */
export function renderValue<Value>(element: Element, value: Value, look: (value: Value) => Child): void {
  const text = JSON.stringify(value);
  if (lastShown.get(element) === text) return;
  lastShown.set(element, text);
  replaceContent(element, look(value));
}
