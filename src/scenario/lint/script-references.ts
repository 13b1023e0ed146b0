/** Names that a script uses before any of its steps captures, keeps or adds what they stand for, or that none does. */
import { didYouMean } from '../../core/lib/suggest.ts';
import type { Diagnostic } from '../../core/validation/schema-diagnostics.ts';
import { predefinedNames, findPlaceholders } from '../steps/placeholders.ts';

/** What is wrong with the names in steps and expectations. */
export function lintScriptReferences(sent: unknown): Diagnostic[] {
  const steps = listIn(sent, 'steps');
  const known = new Set<string>(predefinedNames);
  const captured = steps.map(capturedBy);
  const found = steps.flatMap((step, i) => {
    const problems = lintPlaceholders(step, { known, path: ['steps', i], later: captured.slice(i).flat() });
    for (const name of captured[i] ?? []) known.add(name);
    return problems;
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
  return unmet(readField(step, 'restore'), kept).map((name) => ({
    path: ['steps', i, 'restore'],
    message: `is "${name}", and no step before it keeps a snapshot of this name${didYouMean(name, kept)}`,
  }));
}

/** What a rule without an id is numbered as. */
const numbered = /^fault-\d+$/;

function lintClearFaults(step: unknown, { steps, i }: StepPosition): Diagnostic[] {
  const added = new Set(steps.slice(0, i).flatMap((earlier) => textsIn(readField(readField(earlier, 'fault'), 'id'))));
  return unmet(readField(step, 'clearFaults'), added)
    .filter((id) => !numbered.test(id))
    .map((id) => ({
      path: ['steps', i, 'clearFaults'],
      message: `is "${id}", and no step before it adds a rule of this id${didYouMean(id, added)}`,
    }));
}

const textsIn = (value: unknown): string[] => (typeof value === 'string' ? [value] : []);

/** The name, if it is among none of these and won't be filled in later. */
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
      return { path: place, message: `uses \${${name}}, and ${hint}` };
    });
