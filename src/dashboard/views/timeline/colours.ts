/** Reads the colours of the style for what is drawn on a canvas. */

const names = ['text', 'faint', 'line', 'card', 'page', 'code', 'accent', 'good', 'bad', 'warn'] as const;

export type Colours = Readonly<Record<(typeof names)[number], string>>;

/** Returns the colours of the style, light or dark as they are now. */
export function readColours(): Colours {
  const style = getComputedStyle(document.documentElement);
  const entries = names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()] as const);
  return Object.fromEntries(entries) as Colours;
}
