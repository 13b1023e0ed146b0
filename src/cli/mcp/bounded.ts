/** Keeps results so short that a model can read them, and says what was cut. */

interface Limits {
  readonly characters: number;
  readonly items: number;
}

/** Limits the JSON of a result, in characters. */
const maxJson = 40_000;

/** Limits the lines of a result, in characters. */
const maxText = 16_000;

/** Lists limits from generous to tight; the first under which a result fits is taken. */
const allLimits: readonly Limits[] = [
  { characters: 4000, items: 100 },
  { characters: 1000, items: 50 },
  { characters: 400, items: 20 },
  { characters: 200, items: 5 },
];

/** Returns the data with long texts and lists cut, and `cut`, which names each, where that was needed. */
export function boundData(data: Readonly<Record<string, unknown>>): Record<string, unknown> {
  let bounded: Record<string, unknown> = {};
  for (const limits of allLimits) {
    const cut: string[] = [];
    const kept = shorten(data, { limits, path: '', cut }) as Record<string, unknown>;
    bounded = cut.length === 0 ? kept : { ...kept, cut: cut.slice(0, limits.items) };
    if (JSON.stringify(bounded).length <= maxJson) return bounded;
  }
  return { cut: ['everything: the result is too large; ask for less of it'], ...scalarsOf(bounded) };
}

const scalarsOf = (data: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(data).filter(([, value]) => typeof value !== 'object'));

interface Cutting {
  readonly limits: Limits;
  readonly path: string;
  readonly cut: string[];
}

function shorten(value: unknown, { limits, path, cut }: Cutting): unknown {
  if (typeof value === 'string') {
    if (value.length <= limits.characters) return value;
    cut.push(`${path}: ${limits.characters} of ${value.length} characters`);
    return `${value.slice(0, limits.characters)}…`;
  }
  if (Array.isArray(value)) {
    if (value.length > limits.items) cut.push(`${path}: ${limits.items} of ${value.length} items`);
    return value.slice(0, limits.items).map((item, i) => shorten(item, { limits, path: `${path}[${i}]`, cut }));
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      shorten(inner, { limits, path: path === '' ? name : `${path}.${name}`, cut }),
    ]),
  );
}

/** Returns the lines as one text, cut after a whole line. */
export function boundText(lines: readonly string[]): string {
  const text = lines.join('\n');
  if (text.length <= maxText) return text;
  const end = text.lastIndexOf('\n', maxText);
  const kept = text.slice(0, end > 0 ? end : maxText);
  return `${kept}\n… cut: ${kept.length} of ${text.length} characters are shown; ask for less of it`;
}
