import { expect, it } from 'vitest';
import { countKeys, duplicateKeys } from '../../../src/http/pipeline/duplicate-keys.ts';

it.each([
  ['{"a":1,"b":{"a":1},"c":[{"a":1},{"a":1}]}', []],
  [String.raw`{"a":"\"a\": \"a\": {[,]}","b\\":"{","\"a":"\\"}`, []],
  ['"a:"', []],
  ['{"a":1,"a":2,"b":0,"a":3}', ['a']],
  [String.raw`[{"a":1},{"a" :1,"\u0061": 2}]`, ['[1].a']],
  ['{"x":[[],{"y":{"a":[1,2],"a":{}}}],"x":0}', ['x[1].y.a', 'x']],
  ['{"__proto__":1,"__proto__":2}', ['__proto__']],
])('duplicate keys of %s are found where they stand', (text, repeated) => {
  expect(duplicateKeys(text, countKeys(JSON.parse(text)))).toEqual(repeated);
});

it('duplicate keys are found next to a text of millions of escapes', () => {
  const text = JSON.stringify({ a: '":'.repeat(3_500_000), b: String.raw`\\":` });
  expect(duplicateKeys(text, 2)).toEqual([]);
  expect(duplicateKeys(`${text.slice(0, -1)},"a":1}`, 2)).toEqual(['a']);
});
