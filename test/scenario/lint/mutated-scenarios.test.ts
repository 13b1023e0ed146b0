import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isMap, isScalar, parse, parseDocument, visit } from 'yaml';
import { builtInScenarios } from '../../../src/scenario/built-in.ts';
import { parseScenarioFile } from '../../../src/scenario/load.ts';
import type { ScenarioSpec } from '../../../src/scenario/scenario-schema.ts';
import { diceFrom, misspelled, mutations, pick } from '../../support/mutations.ts';

// Without their steps: what requests send there may have any name.
const shipped = builtInScenarios().map(
  (name) => readFileSync(`scenarios/${name}.yaml`, 'utf8').split(/^# What loyalty-sim run plays|^steps:/m)[0] ?? '',
);
const rich = readFileSync('test/scenario/rich.yaml', 'utf8');

/** What is said of a text, or the scenario that it is. */
function read(text: string, name = 'a.yaml'): string | ScenarioSpec {
  try {
    return parseScenarioFile({ name, text }).spec;
  } catch (error) {
    if (error instanceof Error && error.name === 'InputError') return error.message;
    throw new Error(`stumbled over ${JSON.stringify(text)}`, { cause: error });
  }
}

/** Names of anybody's own: values and headers to compare or to send, captured names, fields of tables. */
const own = new Set(['body', 'query', 'headers', 'capture', 'assumptions', 'trigger']);

interface Name {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** The names in a text that the schema knows. */
function namesIn(text: string): Name[] {
  const found: Name[] = [];
  visit(parseDocument(text), {
    Map(_, map) {
      for (const { key } of map.items) {
        if (isScalar(key) && key.range) found.push({ name: String(key.value), start: key.range[0], end: key.range[1] });
      }
      return undefined;
    },
    Pair(_, { key, value }) {
      if (!isScalar(key) || !own.has(String(key.value)) || !isMap(value)) return undefined;
      return visit.SKIP;
    },
  });
  return found;
}

const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;

/** Every name in data, with where it stands. */
const pathsIn = (data: unknown, path = ''): string[] =>
  typeof data === 'object' && data !== null
    ? Object.entries(data).flatMap(([name, inner]) => [`${path}/${name}`, ...pathsIn(inner, `${path}/${name}`)])
    : [];

const place = /^a\.(?:yaml|json):\d+:\d+: [^]/;

/** Whether a text is refused with a place for each mistake, or read with all its names. */
function isReadWell(text: string, name = 'a.yaml'): boolean {
  const told = read(text, name);
  if (typeof told === 'string') return told.split('\n').every((line) => place.test(line));
  const kept = new Set(pathsIn(told));
  return pathsIn(parse(text)).every((path) => kept.has(path));
}

describe('ten thousand damaged scenario files', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])('are each read whole or refused with places, part %d', (seed) => {
    const dice = diceFrom(seed);
    const kinds = Object.values(mutations);
    for (let i = 0; i < 1000; i++) {
      const text = pick(kinds, dice)(i % 100 === 0 ? rich : pick(shipped, dice), dice);
      if (!isReadWell(text)) expect.unreachable(text);
    }
  });

  it.each([mutations.cutOut, mutations.inserted, mutations.truncated])('are told as JSON too: %o', (mutation) => {
    const dice = diceFrom(9);
    for (let i = 0; i < 200; i++) {
      const text = mutation(JSON.stringify(parse(pick(shipped, dice)), null, 2), dice);
      if (!isReadWell(text, 'a.json')) expect.unreachable(text);
    }
  });

  it('never hide a name that nobody knows', () => {
    const dice = diceFrom(10);
    const known = new Set([...shipped, rich].flatMap((text) => namesIn(text).map(({ name }) => name)));
    for (let i = 0; i < 1400; i++) {
      const text = i % 20 === 0 ? rich : pick(shipped, dice);
      const { name, start, end } = pick(namesIn(text), dice);
      const wrong = misspelled(name, dice);
      if (known.has(wrong)) continue;
      const told = read(text.slice(0, start) + wrong + text.slice(end));
      expect(told, wrong).toMatch(new RegExp(`^a\\.yaml:${lineAt(text, start)}:\\d+: (?:\\S*\\.)?${wrong}: `, 'm'));
    }
  });
});
