/** Names that a script uses before any of its steps captures them, or that none does. */
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
  return [...found, ...unknownNames(listIn(sent, 'expectations'), { known, path: ['expectations'], later: [] })];
}

const fieldOf = (sent: unknown, name: string): unknown =>
  typeof sent === 'object' && sent !== null ? (sent as Readonly<Record<string, unknown>>)[name] : undefined;

const listIn = (sent: unknown, name: string): readonly unknown[] => {
  const list = fieldOf(sent, name);
  return Array.isArray(list) ? list : [];
};

const capturedBy = (step: unknown): string[] => Object.keys(fieldOf(step, 'capture') ?? {});

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
