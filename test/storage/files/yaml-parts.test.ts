/** YAML is read in parts: that gives what the library gives that reads it at once, for texts of any kind. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { Composer, isAlias, isCollection, isNode, isPair, isScalar, Parser } from 'yaml';
import type { Document, YAMLError } from 'yaml';
import { finish } from '../../../src/core/time/steps.ts';
import { builtInScenarios } from '../../../src/scenario/built-in.ts';
import { parseSource } from '../../../src/storage/files/source-text.ts';
import { composeInSteps } from '../../../src/storage/files/yaml-composer.ts';
import { tokenizeYaml } from '../../../src/storage/files/yaml-tokens.ts';
import { diceFrom, mutations, pick } from '../../support/mutations.ts';

type Dice = () => number;

const shipped = builtInScenarios().map((name) => readFileSync(`scenarios/${name}.yaml`, 'utf8').split('\n'));

/** Returns some lines of a scenario. */
function excerpt(dice: Dice): string {
  const lines = pick(shipped, dice);
  const from = dice() < 0.5 ? 0 : Math.floor(dice() * lines.length);
  return lines.slice(from, from + 5 + Math.floor(dice() * 30)).join('\n');
}

const scalars = [
  '1',
  'x',
  '"a: b"',
  "'it'",
  '007',
  '12345678901234567890',
  '~',
  '',
  '*a',
  '*b',
  '!!str 1',
  '!odd y',
  '|\n  k',
];
const names = ['a', 'b', 'c', 'toString', '"d"', '<<', '', '? e', '[f]', '*a', '__proto__'];
const usually = <T>(usual: T, other: () => T, dice: Dice): T => (dice() < 0.8 ? usual : other());

const anchor = (dice: Dice): string =>
  usually('', () => pick(['&a ', '&b ', '!!map ', '!!seq ', '# c\n', '&a &b '], dice), dice);

function flowText(depth: number, dice: Dice): string {
  if (depth === 0 || dice() < 0.3) return anchor(dice) + pick(scalars.slice(0, -1), dice);
  const items = Array.from({ length: Math.floor(dice() * 6) }, () => flowText(depth - 1, dice));
  const end = usually('', () => pick([',', ' # end\n', ',,'], dice), dice);
  const comma = usually(', ', () => pick([' ', ', , ', ' # c\n , ', '\n,'], dice), dice);
  if (dice() < 0.5) return `${anchor(dice)}[${items.join(comma)}${end}]`;
  return `${anchor(dice)}{${items.map((item) => `${usually(pick(['a', 'b', 'c', 'd'], dice), () => pick(names, dice), dice)}: ${item}`).join(comma)}${end}}`;
}

function blockText(depth: number, indent: string, dice: Dice): string {
  if (depth === 0 || dice() < 0.2) return ` ${dice() < 0.5 ? flowText(2, dice) : anchor(dice) + pick(scalars, dice)}\n`;
  const isList = dice() < 0.5;
  const items = Array.from({ length: 1 + Math.floor(dice() * 5) }, (_, n) => {
    const start = isList ? '-' : `${usually(`n${n}`, () => pick(names, dice), dice)}:`;
    const comment = usually('', () => `${indent}# c\n\n`, dice);
    return `${comment}${indent}${start}${blockText(depth - 1, `${indent}  `, dice)}`;
  });
  return ` ${anchor(dice).trim()}\n${items.join('')}${usually('', () => `${indent}# end\n`, dice)}`;
}

const kinds: readonly ((dice: Dice) => string)[] = [
  excerpt,
  (dice) => flowText(3, dice),
  (dice) => blockText(3, '', dice),
  (dice) =>
    JSON.stringify(
      Array.from({ length: 9 }, (_, n) => ({ n, of: [{}, [n, 'x']] })),
      null,
      pick([0, 1], dice),
    ),
];

function anyText(dice: Dice): string {
  let text = pick(kinds, dice)(dice);
  while (dice() < 0.5) text = pick(Object.values(mutations), dice)(text, dice);
  return text;
}

const options = { uniqueKeys: false, stringKeys: true, resolveKnownTags: false, logLevel: 'error' } as const;

function composeAtOnce(text: string): Document.Parsed | undefined {
  const documents = [...new Composer(options).compose(new Parser().parse(text), true, text.length)];
  return documents.length === 1 ? documents[0] : undefined;
}

/** Lists everything in a document that anybody looks at. */
function contentsOf(node: unknown): unknown {
  if (isPair(node)) return [contentsOf(node.key), contentsOf(node.value)];
  if (isCollection(node)) return [node.constructor.name, node.anchor, node.range, node.items.map(contentsOf)];
  if (isScalar(node)) return [node.value, node.source, node.anchor, node.range];
  return isAlias(node) ? [node.source, node.range] : node;
}

/** Returns problems in the order of their places, and those of one place in that of the library. */
const problemsOf = (errors: readonly YAMLError[]) =>
  errors.map(({ code, pos, message }) => ({ code, pos, message })).toSorted((a, b) => a.pos[0] - b.pos[0]);

const read = (text: string) => parseSource({ name: 'a.yaml', text });

it.each([1, 2])('YAML composes in parts of any size as the library composes it at once, part %d', (seed) => {
  const dice = diceFrom(seed);
  for (let i = 0; i < 40; i++) {
    const text = anyText(dice);
    const whole = composeAtOnce(text);
    // Composing recurses into each level.
    if (!whole || /is nested deeper/.test(read(text).diagnostics[0]?.message ?? '')) continue;
    const expected = [contentsOf(whole.contents), problemsOf([...whole.errors, ...whole.warnings])];
    for (const atOnce of [1, 4, 15]) {
      const tokens = finish(tokenizeYaml(text));
      expect(tokens, text).toEqual([...new Parser().parse(text)]);
      const { document, problems } = finish(composeInSteps(tokens, text.length, atOnce));
      expect([contentsOf(document.contents), problemsOf(problems)], `${atOnce}: ${text}`).toEqual(expected);
    }
  }
});

/** Lists the paths of values with the places where they, or their names, stand. */
function placesOf(node: unknown, path: (string | number)[] = []): [(string | number)[], number | undefined][] {
  if (!isCollection(node)) return [];
  return node.items.flatMap((item, i) => {
    const [named, value, part] = isPair(item) ? [item.key, item.value, String(nodeValue(item.key))] : [item, item, i];
    return [[[...path, part], startOf(named)] as [(string | number)[], number | undefined]].concat(
      placesOf(value, [...path, part]),
    );
  });
}

const nodeValue = (node: unknown): unknown => (isScalar(node) ? node.value : undefined);
const startOf = (node: unknown): number | undefined => (isNode(node) ? node.range?.[0] : undefined);

it('YAML has the values that the library reads, and the places of all', () => {
  const dice = diceFrom(4);
  let found = 0;
  for (let i = 0; i < 200; i++) {
    const text = anyText(dice);
    const { data, diagnostics, offsetOf } = read(text);
    const whole = diagnostics.length === 0 && composeAtOnce(text);
    if (!whole) continue;
    expect(data, text).toEqual(whole.toJS({ maxAliasCount: 100 }));
    for (const [path, offset] of placesOf(whole.contents))
      expect(offsetOf(path), `${path.join()}: ${text}`).toBe(offset);
    found++;
  }
  expect(found).toBeGreaterThan(50);
});

const aliased = (count: number, target = 'x') =>
  `a: &a ${target}\nb: [${Array.from({ length: count }, () => '*a').join()}]\n`;

it.each([
  ['99 aliases of a text', aliased(99), true],
  ['100 aliases of a text', aliased(100), false],
  ['100 aliases of nothing at all', aliased(100, '[[], []]'), true],
  ['49 aliases of a list with an alias', `z: &z 1\n${aliased(49, '[*z]')}`, true],
  ['50 aliases of a list with an alias', `z: &z 1\n${aliased(50, '[*z]')}`, false],
])('YAML is too much where it is for the library: %s', (_, text, isRead) => {
  expect(read(text).diagnostics.length === 0).toBe(isRead);
  const asLibrary = expect(() => composeAtOnce(text)?.toJS({ maxAliasCount: 100 }));
  if (isRead) asLibrary.not.toThrow();
  else asLibrary.toThrow(ReferenceError);
});
