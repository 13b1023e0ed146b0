/** Reports names in a script that no earlier step captures, stores or adds. */
import { errorAt } from '../../core/validation/diagnostic.ts';
import { didYouMean, limitedHints } from '../../core/lib/suggest.ts';
import type { Steps } from '../../core/time/steps.ts';
import type { Diagnostic } from '../../core/validation/diagnostic.ts';
import { predefinedNames, findPlaceholders } from '../steps/placeholders.ts';

export function* lintScriptReferences(sent: unknown): Steps<Diagnostic[]> {
  const steps = listIn(sent, 'steps');
  const known = new Set<string>(predefinedNames);
  const [stored, added] = [new Set<string>(), new Set<string>()];
  const captured = steps.map(capturedBy);
  const lastCaptures = new Map(captured.flatMap((names, i) => names.map((name) => [name, i] as const)));
  const hint: Hint = limitedHints(didYouMean, { most: mostHinted });
  const found: Diagnostic[][] = [];
  for (const [i, step] of steps.entries()) {
    const isLater = (name: string): boolean => (lastCaptures.get(name) ?? -1) >= i;
    found.push(
      lintPlaceholders(step, { known, path: ['steps', i], isLater, hint }),
      lintRestore(step, { known: stored, i, hint }),
      lintClearFaults(step, { known: added, i, hint }),
    );
    for (const name of captured[i] ?? []) known.add(name);
    for (const name of textsIn(readField(step, 'snapshot'))) stored.add(name);
    for (const id of textsIn(readField(readField(step, 'fault'), 'id'))) added.add(id);
    yield;
  }
  for (const [i, expectation] of listIn(sent, 'expectations').entries()) {
    found.push(lintPlaceholders(expectation, { known, path: ['expectations', i], isLater: () => false, hint }));
    yield;
  }
  return found.flat();
}

type Hint = (name: string, known: ReadonlySet<string>) => string;

/** Limits the hints further than elsewhere: a script may capture thousands of names. */
const mostHinted = 20;

/** Limits the names that a message lists. */
const mostListed = 20;

function listOfNames(known: ReadonlySet<string>): string {
  const more = known.size > mostListed ? [`and ${known.size - mostListed} more`] : [];
  const names = [...known].slice(0, mostListed).map((one) => `\${${one}}`);
  return [...names, ...more].join(', ');
}

const readField = (sent: unknown, name: string): unknown =>
  typeof sent === 'object' && sent !== null ? (sent as Readonly<Record<string, unknown>>)[name] : undefined;

const listIn = (sent: unknown, name: string): readonly unknown[] => {
  const list = readField(sent, name);
  return Array.isArray(list) ? list : [];
};

const capturedBy = (step: unknown): string[] => Object.keys(readField(step, 'capture') ?? {});

interface StepPosition {
  /** Holds the names that earlier steps store or add. */
  readonly known: ReadonlySet<string>;
  readonly i: number;
  readonly hint: Hint;
}

const lintRestore = (step: unknown, { known, i, hint }: StepPosition): Diagnostic[] =>
  unmet(readField(step, 'restore'), known).map((name) =>
    errorAt(
      ['steps', i, 'restore'],
      `is "${name}", and no step before it stores a snapshot of this name${hint(name, known)}`,
    ),
  );

/** Matches the id that a rule without one is given. */
const numbered = /^fault-\d+$/;

const lintClearFaults = (step: unknown, { known, i, hint }: StepPosition): Diagnostic[] =>
  unmet(readField(step, 'clearFaults'), known)
    .filter((id) => !numbered.test(id))
    .map((id) =>
      errorAt(
        ['steps', i, 'clearFaults'],
        `is "${id}", and no step before it adds a rule of this id${hint(id, known)}`,
      ),
    );

const textsIn = (value: unknown): string[] => (typeof value === 'string' ? [value] : []);

/** Returns the name unless it is known or may be filled in later. */
const unmet = (name: unknown, there: ReadonlySet<string>): string[] =>
  textsIn(name).filter(
    (one) => !there.has(one) && findPlaceholders(one).length === 0 && findPlaceholders([...there]).length === 0,
  );

interface Where {
  readonly known: ReadonlySet<string>;
  readonly path: Diagnostic['path'];
  /** True for a name that this step or a later one captures. */
  readonly isLater: (name: string) => boolean;
  readonly hint: Hint;
}

/** Limits the names of a step that are reported one by one. */
const mostReported = 1000;

function lintPlaceholders(value: unknown, { known, path, isLater, hint }: Where): Diagnostic[] {
  const search = { path, isWanted: (name: string) => !known.has(name), limit: mostReported + 1 };
  const unknown = findPlaceholders(value, search);
  const reported = unknown.slice(0, mostReported).map(({ name, path: place }) => {
    const reason = isLater(name)
      ? 'only this step or a later one captures it'
      : `no step before it captures that${hint(name, known) || `; known there: ${listOfNames(known)}`}`;
    return errorAt(place, `uses \${${name}}, and ${reason}`);
  });
  return unknown.length > reported.length
    ? [...reported, errorAt(path, 'uses more names that no step before it captures')]
    : reported;
}
