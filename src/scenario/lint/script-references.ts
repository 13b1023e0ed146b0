/** Reports names in a script that no earlier step captures, stores or adds. */
import { errorAt } from '../../core/validation/diagnostic.ts';
import { didYouMean } from '../../core/lib/suggest.ts';
import type { Diagnostic } from '../../core/validation/diagnostic.ts';
import { predefinedNames, findPlaceholders } from '../steps/placeholders.ts';

export function lintScriptReferences(sent: unknown): Diagnostic[] {
  const steps = listIn(sent, 'steps');
  const known = new Set<string>(predefinedNames);
  const captured = steps.map(capturedBy);
  const found = steps.flatMap((step, i) => {
    const unknown = lintPlaceholders(step, { known, path: ['steps', i], later: captured.slice(i).flat() });
    for (const name of captured[i] ?? []) known.add(name);
    return unknown;
  });
  return [
    ...found,
    ...lintPlaceholders(listIn(sent, 'expectations'), { known, path: ['expectations'], later: [] }),
    ...steps.flatMap((step, i) => lintRestore(step, { steps, i }).concat(lintClearFaults(step, { steps, i }))),
  ];
}

const readField = (sent: unknown, name: string): unknown =>
  typeof sent === 'object' && sent !== null ? (sent as Readonly<Record<string, unknown>>)[name] : undefined;

const listIn = (sent: unknown, name: string): readonly unknown[] => {
  const list = readField(sent, name);
  return Array.isArray(list) ? list : [];
};

const capturedBy = (step: unknown): string[] => Object.keys(readField(step, 'capture') ?? {});

interface StepPosition {
  readonly steps: readonly unknown[];
  readonly i: number;
}

function lintRestore(step: unknown, { steps, i }: StepPosition): Diagnostic[] {
  const kept = new Set(steps.slice(0, i).flatMap((earlier) => textsIn(readField(earlier, 'snapshot'))));
  return unmet(readField(step, 'restore'), kept).map((name) =>
    errorAt(
      ['steps', i, 'restore'],
      `is "${name}", and no step before it stores a snapshot of this name${didYouMean(name, kept)}`,
    ),
  );
}

/** Matches the id that a rule without one is given. */
const numbered = /^fault-\d+$/;

function lintClearFaults(step: unknown, { steps, i }: StepPosition): Diagnostic[] {
  const added = new Set(steps.slice(0, i).flatMap((earlier) => textsIn(readField(readField(earlier, 'fault'), 'id'))));
  return unmet(readField(step, 'clearFaults'), added)
    .filter((id) => !numbered.test(id))
    .map((id) =>
      errorAt(
        ['steps', i, 'clearFaults'],
        `is "${id}", and no step before it adds a rule of this id${didYouMean(id, added)}`,
      ),
    );
}

const textsIn = (value: unknown): string[] => (typeof value === 'string' ? [value] : []);

/** Returns the name unless it is known or may be filled in later. */
const unmet = (name: unknown, there: ReadonlySet<string>): string[] =>
  textsIn(name).filter(
    (one) => !there.has(one) && findPlaceholders(one).length === 0 && findPlaceholders([...there]).length === 0,
  );

interface Where {
  readonly known: ReadonlySet<string>;
  readonly path: Diagnostic['path'];
  readonly later: readonly string[];
}

const lintPlaceholders = (value: unknown, { known, path, later }: Where): Diagnostic[] =>
  findPlaceholders(value, path)
    .filter(({ name }) => !known.has(name))
    .map(({ name, path: place }) => {
      const hint = later.includes(name)
        ? 'only this step or a later one captures it'
        : `no step before it captures that${didYouMean(name, known) || `; known there: ${[...known].map((one) => `\${${one}}`).join(', ')}`}`;
      return errorAt(place, `uses \${${name}}, and ${hint}`);
    });
