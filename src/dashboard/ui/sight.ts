/** Shows so many pixels at least of what is to be read. */
const leastShown = 200;

/** Scrolls the page to `from` unless enough of an element is in sight. */
export function bringIntoSight(element: Element, from: Element): void {
  const { top, bottom } = element.getBoundingClientRect();
  if (top < 0 || Math.min(bottom, innerHeight) - top < Math.min(leastShown, bottom - top)) from.scrollIntoView();
}
