/** Names that a script uses before any of its steps captures, keeps or adds what they stand for, or that none does. */
import { didYouMean } from '../core/warning.ts';
import type { Finding } from './findings.ts';
import { givenNames, namesIn } from './placeholders.ts';

/** What is wrong with the names in steps and expectations. */
export function namesFindings(sent: unknown): Finding[] {
  const steps = listIn(sent, 'steps');
  const known = new Set<string>(givenNames);
  const captured = steps.map(capturedBy);
  const found = steps.flatMap((step, i) => {
    const problems = unknownNames(step, { known, path: ['steps', i], later: captured.slice(i).flat() });
    for (const name of captured[i] ?? []) known.add(name);
    return problems;
  });
  return [
    ...found,
    ...unknownNames(listIn(sent, 'expectations'), { known, path: ['expectations'], later: [] }),
    ...steps.flatMap((step, i) => neverKept(step, { steps, i }).concat(neverAdded(step, { steps, i }))),
  ];
}

const fieldOf = (sent: unknown, name: string): unknown =>
  typeof sent === 'object' && sent !== null ? (sent as Readonly<Record<string, unknown>>)[name] : undefined;

const listIn = (sent: unknown, name: string): readonly unknown[] => {
  const list = fieldOf(sent, name);
  return Array.isArray(list) ? list : [];
};

const capturedBy = (step: unknown): string[] => Object.keys(fieldOf(step, 'capture') ?? {});

interface Place {
  readonly steps: readonly unknown[];
  readonly i: number;
}

function neverKept(step: unknown, { steps, i }: Place): Finding[] {
  const kept = new Set(steps.slice(0, i).flatMap((earlier) => textsIn(fieldOf(earlier, 'snapshot'))));
  return unmet(fieldOf(step, 'restore'), kept).map((name) => ({
    path: ['steps', i, 'restore'],
    message: `is "${name}", and no step before it keeps a snapshot of this name${didYouMean(name, kept)}`,
  }));
}

/** What a rule without an id is numbered as. */
const numbered = /^fault-\d+$/;

function neverAdded(step: unknown, { steps, i }: Place): Finding[] {
  const added = new Set(steps.slice(0, i).flatMap((earlier) => textsIn(fieldOf(fieldOf(earlier, 'fault'), 'id'))));
  return unmet(fieldOf(step, 'clearFaults'), added)
    .filter((id) => !numbered.test(id))
    .map((id) => ({
      path: ['steps', i, 'clearFaults'],
      message: `is "${id}", and no step before it adds a rule of this id${didYouMean(id, added)}`,
    }));
}

const textsIn = (value: unknown): string[] => (typeof value === 'string' ? [value] : []);

/** The name, if it is among none of these and won't be filled in later. */
const unmet = (name: unknown, there: ReadonlySet<string>): string[] =>
  textsIn(name).filter((one) => !there.has(one) && namesIn(one).length === 0 && namesIn([...there]).length === 0);

interface Where {
  readonly known: ReadonlySet<string>;
  readonly path: Finding['path'];
  readonly later: readonly string[];
}

const unknownNames = (value: unknown, { known, path, later }: Where): Finding[] =>
  namesIn(value, path)
    .filter(({ name }) => !known.has(name))
    .map(({ name, path: place }) => {
      const hint = later.includes(name)
        ? 'only this step or a later one captures it'
        : `no step before it captures that${didYouMean(name, known) || `; known there: ${[...known].map((one) => `\${${one}}`).join(', ')}`}`;
      return { path: place, message: `uses \${${name}}, and ${hint}` };
    });
