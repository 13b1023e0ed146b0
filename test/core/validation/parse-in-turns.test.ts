import { expect, it } from 'vitest';
import { finish } from '../../../src/core/time/steps.ts';
import { measureText } from '../../../src/core/validation/extent.ts';
import { parseInTurns } from '../../../src/core/validation/parse-in-turns.ts';

const items = (count: number): string =>
  Array.from({ length: count }, (_, n) => ` {"n":${n}, "t":"],[\\"}", "l":[${n},[]] }`).join(',');
const list = `[${items(2500)}]`;

const texts: readonly (readonly [name: string, text: string])[] = [
  ['a list', ` ${list}\n`],
  ['a list in a field', `{"a":1,"items" :${list},"b":[2]}`],
  ['two of them', `{"a":${list}, "__proto__":${list},"":${list}}`],
  ['two under one name', `{"a":${list},"b":0,"\\u0061":[3]}`],
  ['one that is taken back', `{"a":${list},"a":null}`],
  ['one of a name that had another value', `{"a":null,"a":${list}}`],
  ['a list in a list', `[${list},${list}]`],
  ['a list deeper inside', `{"a":{"b":${list}}}`],
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

it.each(texts)('makes of a text what JSON.parse does: %s', (_, text) => {
  const { json, excess } = finish(parseInTurns(text));
  expect(excess).toBeUndefined();
  expect(JSON.stringify(json)).toBe(JSON.stringify(JSON.parse(text)));
});

/** Changes a text at all places that reading it in pieces depends on, each in many ways. */
function* damaged(text: string): Generator<string> {
  const [first] = finish(measureText(text)).longLists;
  const { from = 0, to = 0, cuts = [] } = first ?? {};
  for (const at of [0, from, from + 1, cuts[0] ?? 0, (cuts[0] ?? 0) + 1, to - 1, to, text.length])
    for (const put of ['', ',', '[', ']', '{', '}', '"', ':', '1', '-', '[],'])
      for (const dropped of [0, 1]) yield text.slice(0, at) + put + text.slice(at + dropped);
}

it.each(texts.slice(0, 3))('takes no text for JSON that is not: %s', (_, text) => {
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

it.each(['', ' ', ',', ',1'])('takes no item that is missing behind a comma: [long, %s]', (rest) => {
  expect(finish(parseInTurns(`["${'x'.repeat(70_000)}",${rest}]`))).toEqual({});
});

it('leaves others their turn between the pieces of a list', () => {
  const steps = parseInTurns(list);
  let count = 0;
  while (!steps.next().done) count++;
  expect(count).toBeGreaterThan(list.length / (64 * 1024));
});
