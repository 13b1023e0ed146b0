const line = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

/** Returns a Markdown table; a bar within a cell would end it. */
export const table = (names: readonly string[], rows: readonly (readonly string[])[]): string =>
  [line(names), line(names.map(() => '---')), ...rows.map(line)].join('\n');

/** The longest row that a terminal shows, as test/docs/pages.test.ts has it. */
const longestRow = 155;

/** Like {@link table}, without the columns that hold nothing. The longest cell of a row that is too long stands below the table. */
export function fieldTable(names: readonly string[], rows: readonly (readonly string[])[]): string {
  const isUsed = (_: unknown, i: number): boolean => rows.some((row) => (row[i] ?? '') !== '');
  const notes: string[] = [];
  const short = rows.map((row) => {
    const used = row.filter(isUsed);
    if (line(used).length <= longestRow) return used;
    const longest = used.toSorted((a, b) => b.length - a.length)[0] ?? '';
    notes.push(`- ${used[0]}: ${longest}`);
    return used.map((cell) => (cell === longest ? 'see below' : cell));
  });
  return [table(names.filter(isUsed), short), ...(notes.length > 0 ? [notes.join('\n')] : [])].join('\n\n');
}

export const code = (text: string): string => `\`${text}\``;

// A flag, a variable, a placeholder, or a word with a star: as text, Markdown would take some of them for tags or emphasis.
const verbatim =
  /(?<![\w`-])(?:--[a-z][a-z-]*|LOYALTY_SIM_\w+|[\w=:/-]*(?:<[\w-]+>|\{[\w-]+\})(?:[\w=:/.-]*[\w/])?|[\w=/-]+\*\d*|[\w.]+\[\*\][\w.]*\w|(?<= )\*(?= ))/g;

/** Marks up a text of the help or of a schema: what is to be typed as it stands becomes code. */
export const marked = (text: string): string => text.replaceAll(verbatim, code);

/** Parts a text from the `(default: …)` that it says, which is marked up. */
export function withoutDefault(text: string): { readonly words: string; readonly standard: string } {
  const [whole = '', standard = ''] = / \(default: ((?:[^()]|\([^()]*\))*)\)/.exec(text) ?? [];
  const isProse = standard.includes(' ') || ['', 'all', 'never', 'none'].includes(standard);
  return { words: text.replace(whole, ''), standard: isProse ? marked(standard) : code(standard.replaceAll('"', '')) };
}

/** The anchor of an assumption's row in docs/assumptions.md. */
export const anchorOf = (id: string): string => id.toLowerCase();

export const assumptionLink = (id: string): string => `[${id}](assumptions.md#${anchorOf(id)})`;

export const note =
  "<!-- Made by `npm run generate` from the endpoints and the specification's tables. Change those, not this. -->";
