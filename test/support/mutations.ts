/** Damages a scenario file in several ways, by a seed. */

/** Draws numbers from 0 up to below 1, always the same from one seed. */
export function diceFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

type Dice = () => number;

const indexBelow = (count: number, dice: Dice): number => Math.floor(dice() * count);

export const pick = <Item>(items: readonly [Item, ...Item[]] | readonly Item[], dice: Dice): Item => {
  const picked = items[indexBelow(items.length, dice)];
  if (picked === undefined) throw new Error('nothing to pick from');
  return picked;
};

type Mutation = (text: string, dice: Dice) => string;

const changedLine =
  (change: (line: string, dice: Dice) => string): Mutation =>
  (text, dice) => {
    const lines = text.split('\n');
    const at = indexBelow(lines.length, dice);
    return lines.with(at, change(lines[at] ?? '', dice)).join('\n');
  };

const oddValues = [
  '~',
  'true',
  '[]',
  '{}',
  '[1, [2]]',
  '{a: {b: c}}',
  '-1',
  '0',
  '1e999',
  '.nan',
  '-.inf',
  '007',
  '0x1F',
  '12345678901234567890',
  '1'.repeat(400),
  '""',
  "'it'",
  '!!binary aGVsbG8=',
  '!odd x',
  '*nobody',
  '&some x',
  '|',
  '>',
  '2026-13-45',
  '"\\ud800"',
  '${x}',
  '# no',
] as const;

const oddSigns = [
  '\0',
  '\u0007',
  '\t',
  '\r',
  '\u2028',
  '\uFEFF',
  '{',
  '}',
  '[',
  ']',
  ': ',
  '- ',
  '? ',
  '&a ',
  '*a ',
  '!t ',
  '%',
  '@',
  '`',
  '"',
  "'",
  '|',
  '>',
  '#',
  ',',
  '---\n',
  '...\n',
  '<<: *a\n',
  '\uD800',
  '🛒',
] as const;

const inserted: Mutation = (text, dice) => {
  const at = indexBelow(text.length + 1, dice);
  return `${text.slice(0, at)}${pick(oddSigns, dice)}${text.slice(at)}`;
};

const cutOut: Mutation = (text, dice) => {
  const at = indexBelow(text.length, dice);
  return text.slice(0, at) + text.slice(at + 1 + indexBelow(12, dice));
};

/** Each leaves a text that may be right or wrong, and that no reader may stumble over. */
export const mutations = {
  truncated: (text, dice) => text.slice(0, indexBelow(text.length, dice)),
  cutOut,
  inserted,
  doubleInserted: (text, dice) => inserted(inserted(text, dice), dice),
  lineGone: changedLine(() => ''),
  lineTwice: changedLine((line) => `${line}\n${line}`),
  indented: changedLine((line, dice) => `${' '.repeat(1 + indexBelow(4, dice))}${line}`),
  tabbed: changedLine((line) => `\t${line}`),
  outdented: changedLine((line) => line.replace(/^ {1,2}/, '')),
  otherValue: changedLine((line, dice) => line.replace(/:( .*)?$/, `: ${pick(oddValues, dice)}`)),
  otherScalar: (text, dice) => {
    const scalars = [...text.matchAll(/(?<=[:[,] )[^\s,[\]{}:]+/g)];
    if (scalars.length === 0) return text;
    const scalar = pick(scalars, dice);
    return text.slice(0, scalar.index) + pick(oddValues, dice) + text.slice(scalar.index + scalar[0].length);
  },
  colonGone: changedLine((line) => line.replace(':', '')),
  quoted: changedLine((line) => line.replace(/: (.*)$/, ': "$1')),
  aliased: (text, dice) =>
    changedLine((line) => line.replace(/: .*$/, ': *all'))(`first: &all [x, *all]\n${text}`, dice),
  nested: changedLine(
    (line, dice) => `${line}${pick(['[', '{a: ', '- ', '? '], dice).repeat(10 + indexBelow(300, dice))}`,
  ),
} satisfies Readonly<Record<string, Mutation>>;

/** Returns a name that means nothing, made of one that does. */
export const misspelled = (name: string, dice: Dice): string =>
  pick(
    [`${name}s`, `${name}_`, `x${name}`, `${name.slice(1)}${name.slice(0, 1)}q`, name.toUpperCase(), `${name}${name}`],
    dice,
  );
