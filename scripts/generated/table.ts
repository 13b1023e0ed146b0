const line = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

/** Returns a Markdown table; a bar within a cell would end it. */
export const table = (names: readonly string[], rows: readonly (readonly string[])[]): string =>
  [line(names), line(names.map(() => '---')), ...rows.map(line)].join('\n');

export const code = (text: string): string => `\`${text}\``;

/** Returns the anchor of an assumption's row in docs/assumptions.md. */
export const anchorOf = (id: string): string => id.toLowerCase();

export const assumptionLink = (id: string): string => `[${id}](assumptions.md#${anchorOf(id)})`;

export const note =
  "<!-- Made by `npm run generate` from the endpoints and the specification's tables. Change those, not this. -->";
