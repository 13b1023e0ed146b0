import { describe, expect, it } from 'vitest';
import { finish } from '../../../src/core/time/steps.ts';
import { measureText } from '../../../src/core/validation/extent.ts';
import { parseInTurns } from '../../../src/core/validation/parse-in-turns.ts';

const items = (count: number): string =>
  Array.from({ length: count }, (_, n) => ` {"n":${n}, "t":"],[\\"}", "l":[${n},[]] }`).join(',');
const list = `[${items(2500)}]`;

const fields = (count: number): string =>
  Array.from({ length: count }, (_, n) => ` "${n % 7 ? 'f' : ''}${n}" : {"n":${n}, "t":"],[\\"}"} `).join(',');
const object = `{${fields(2500)}}`;

/** Nests objects, each of which is long for what it holds last. */
const nested = (depth: number): string =>
  Array.from({ length: depth }).reduce<string>((inner, _, n) => `{"p":"${'x'.repeat(50_000)}${n}","n":${inner}}`, '1');

const texts: readonly (readonly [name: string, text: string])[] = [
  ['a list', ` ${list}\n`],
  ['a list in a field', `{"a":1,"items" :${list},"b":[2]}`],
  ['two of them', `{"a":${list}, "__proto__":${list},"":${list}}`],
  ['two under one name', `{"a":${list},"b":0,"\\u0061":[3]}`],
  ['one that is taken back', `{"a":${list},"a":null}`],
  ['one of a name that had another value', `{"a":null,"a":${list}}`],
  ['an object', object],
  ['an object in a list', `[1,${object}]`],
  ['a list in a list', `[${list},${list}]`],
  ['a list deeper inside', `{"a":{"b":${list}},"c":[[0,${list}]]}`],
  [
    'an object that names fields twice, far apart',
    `{"f1":5,"__proto__":1,${fields(2500)},"f1":6,"f1":7,"__proto__":{}}`,
  ],
  ['texts that stand for lists elsewhere', `["piece 0","piece 1",${list},"piece\\u0020 0","\\u0070iece 0"]`],
  ['the same text as another name', `{"piece 0":${list},"b":"piece 1"}`],
  ['objects in objects', nested(90)],
  ['a list in lists', `${'['.repeat(90)}${list}${']'.repeat(90)}`],
  ['a list of spaces', `[${' '.repeat(70_000)}]`],
  ['an object of spaces', `{"a":{${' '.repeat(70_000)}}}`],
  ['short lists', '{"a":[],"b":[1]}'],
];

/** Returns what any reader of JSON makes of a text: undefined when it is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isDamaged = new Set(['a list', 'a list in a field', 'two of them', 'an object in a list']);

/** Changes a text at all places that reading it in pieces depends on, each in many ways. */
function* damaged(text: string): Generator<string> {
  const [first] = finish(measureText(text)).containers;
  const { from = 0, to = 0, cuts = [] } = first ?? {};
  for (const at of [0, from, from + 1, cuts[0] ?? 0, (cuts[0] ?? 0) + 1, to, to + 1, text.length])
    for (const put of ['', ',', '[', ']', '{', '}', '"', ':', '1', '-', '[],'])
      for (const dropped of [0, 1]) yield text.slice(0, at) + put + text.slice(at + dropped);
}

describe('the parser of JSON in turns', () => {
  it.each(texts)('makes of a text what JSON.parse does: %s', (_, text) => {
    const { json, excess } = finish(parseInTurns(text));
    expect(excess).toBeUndefined();
    expect(JSON.stringify(json)).toBe(JSON.stringify(JSON.parse(text)));
  });

  it.each(texts.filter(([name]) => isDamaged.has(name)))('takes no text for JSON that is not: %s', (_, text) => {
    let invalid = 0;
    for (const changed of damaged(text)) {
      const expected = parsed(changed);
      if (expected === undefined) invalid++;
      const { json, excess } = finish(parseInTurns(changed));
      expect(JSON.stringify(json), `${changed.slice(0, 40)} … ${changed.slice(-40)}`).toBe(JSON.stringify(expected));
      expect(excess).toBeUndefined();
    }
    expect(invalid).toBeGreaterThan(100);
  });

  it.each(['', ' ', ',', ',1', ',"b":1'])('takes nothing that is missing behind a comma: %s', (rest) => {
    const long = `"${'x'.repeat(70_000)}"`;
    for (const text of [`[${long},${rest}]`, `{"a":${long},${rest}}`]) expect(finish(parseInTurns(text))).toEqual({});
  });

  it.each([`{${list}:1}`, `{"a":1,${list}:"piece 0"}`, `{"a":1,${object}:{"piece 0":"piece 0"}}`])(
    'takes no list or object for the name of a field',
    (text) => {
      expect(finish(parseInTurns(text))).toEqual({});
    },
  );

  it.each([
    ['a list', (long: string) => `[${long}]`],
    ['a list that begins another', (long: string) => `[[${long}],1]`],
    ['a list in an object of a list', (long: string) => `[{"a":1,"b":[${long}],"c":1}]`],
  ])('leaves others their turn between the pieces: %s', (_, within) => {
    const steps = parseInTurns(within(Array.from({ length: 20 }, () => items(2500)).join(',')));
    let count = 0;
    while (!steps.next().done) count++;
    expect(count).toBeGreaterThan(20);
  });

  it('parses objects in objects one by one, however deep they are', () => {
    const steps = parseInTurns(nested(90));
    let turns = 0;
    while (!steps.next().done) turns++;
    expect(turns).toBeGreaterThan(90);
  });
});
