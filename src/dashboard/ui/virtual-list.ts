/** Shows a long list of which only the rows in sight are in the page. */
import { h } from './elements.ts';

interface VirtualListOptions {
  readonly label: string;
  /** Holds the height of a row in rem. */
  readonly rowHeight: number;
  /** Returns the row at a place; the same element as long as nothing of it has changed. */
  readonly render: (index: number) => HTMLElement;
  /** Is called with the rows that are in sight, before they are rendered. */
  readonly onRange: (first: number, last: number) => void;
  readonly none: string;
}

/** Renders so many rows above and below those in sight. */
const margin = 4;

const steps: Readonly<Record<string, (at: number, page: number, count: number) => number>> = {
  ArrowDown: (at) => at + 1,
  ArrowUp: (at) => at - 1,
  PageDown: (at, page) => at + page,
  PageUp: (at, page) => at - page,
  Home: () => 0,
  End: (_at, _page, count) => count - 1,
};

export function virtualList({ label, rowHeight, render, onRange, none }: VirtualListOptions) {
  const space = h('div', { class: 'space' });
  const nothing = h('p', { class: 'none' }, none);
  const element = h('div', { class: 'list', role: 'group', 'aria-label': label }, space);
  let count = 0;
  let shown = new Map<number, HTMLElement>();
  const pixels = (): number => rowHeight * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);

  const show = (): void => {
    const height = pixels();
    space.style.height = `${count * height}px`;
    if (count === 0) element.append(nothing);
    else nothing.remove();
    const first = Math.max(0, Math.floor(element.scrollTop / height) - margin);
    const last = Math.min(count, Math.ceil((element.scrollTop + element.clientHeight) / height) + margin);
    onRange(first, last);
    const before = shown;
    shown = new Map();
    for (let index = first; index < last; index++) shown.set(index, render(index));
    const kept = new Set(shown.values());
    for (const [index, row] of before) {
      // A row with the focus stays, so that the arrow keys go on from it.
      if (!kept.has(row) && row === document.activeElement && !shown.has(index) && index < count) shown.set(index, row);
      else if (!kept.has(row)) row.remove();
    }
    place(height);
  };

  /** Puts the rows in their places and, for whoever goes from one to the next, in their order. */
  const place = (height: number): void => {
    let next: ChildNode | null = null;
    for (const [index, row] of [...shown].toSorted(([a], [b]) => b - a)) {
      row.style.top = `${index * height}px`;
      if (row.parentNode !== element || row.nextSibling !== next) element.insertBefore(row, next);
      next = row;
    }
  };

  const moveTo = (index: number): void => {
    const height = pixels();
    const [top, bottom] = [index * height, (index + 1) * height];
    if (top < element.scrollTop) element.scrollTop = top;
    if (bottom > element.scrollTop + element.clientHeight) element.scrollTop = bottom - element.clientHeight;
    show();
    shown.get(index)?.focus({ preventScroll: true });
  };

  element.addEventListener('scroll', () => requestAnimationFrame(show), { passive: true });
  element.addEventListener('keydown', (event) => {
    const [at] = [...shown].find(([, row]) => row === document.activeElement) ?? [];
    const step = steps[event.key];
    if (at === undefined || !step || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const page = Math.max(1, Math.floor(element.clientHeight / pixels()) - 1);
    moveTo(Math.min(count - 1, Math.max(0, step(at, page, count))));
  });
  new ResizeObserver(() => show()).observe(element);

  return {
    element,
    show,
    /** Sets the number of rows; what was scrolled to stays where it is when rows are added at the top. */
    setCount: (now: number): void => {
      const added = now - count;
      count = now;
      space.style.height = `${count * pixels()}px`;
      if (added > 0 && element.scrollTop > 0) element.scrollTop += added * pixels();
    },
    scrollToTop: (): void => {
      element.scrollTop = 0;
    },
  };
}
