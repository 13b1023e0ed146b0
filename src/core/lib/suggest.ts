import { closest, distance } from 'fastest-levenshtein';
import { renamedAmong } from './renamed-names.ts';

/** Reports input that was accepted although it is probably not what the caller meant. */
export interface Warning {
  /** Holds a short, stable word to filter by: `unknown-field`, `repeated-receipt`, … */
  readonly code: string;
  readonly message: string;
}

/** A text of more characters than this is no mistyped name; looking for one would take seconds. */
const longestName = 100;

/** Returns the known name that a mistyped one was probably meant to be, or undefined when none is near. */
export function closestName(name: string, known: Iterable<string>): string | undefined {
  if (name.length > longestName) return undefined;
  const candidates = similarNames(name, known);
  if (candidates.length === 0) return undefined;
  const lower = name.toLowerCase();
  const letters = sortedLetters(lower);
  const swapped = candidates.find(
    (candidate) => candidate.length === name.length && sortedLetters(candidate.toLowerCase()) === letters,
  );
  if (swapped !== undefined) return swapped;
  const found = closest(
    lower,
    candidates.map((candidate) => candidate.toLowerCase()),
  );
  const match = candidates.find((candidate) => candidate.toLowerCase() === found);
  return isSimilar(found, lower, distance(lower, found)) ? match : undefined;
}

/** Limits the names that are compared letter by letter: of very many, the nearest need not be found. */
const mostCompared = 5000;

function similarNames(name: string, known: Iterable<string>): string[] {
  const found: string[] = [];
  for (const candidate of known) {
    if (found.length === mostCompared) break;
    if (isSimilar(candidate, name, Math.abs(candidate.length - name.length))) found.push(candidate);
  }
  return found;
}

const isSimilar = (a: string, b: string, difference: number): boolean =>
  difference <= Math.max(1, Math.floor(Math.max(a.length, b.length) * 0.4));

/** Letters in the wrong order are the commonest slip, and count as two in a distance. */
const sortedLetters = (word: string): string => [...word].toSorted().join('');

/** Limits the hints that are kept for a list of names. */
const maxHints = 1000;

const hints = new WeakMap<object, Map<string, string>>();

/**
 * Returns the hint of `didYouMean` for a list of names that is used again and again, and works out the same one once: the rows
 * of a bulk call mostly have the same wrong names.
 */
export function didYouMeanAmong(name: string, known: readonly string[]): string {
  const kept = hints.get(known) ?? new Map<string, string>();
  hints.set(known, kept);
  const made = kept.get(name) ?? didYouMean(name, known);
  if (kept.size < maxHints) kept.set(name, made);
  return made;
}

/** Limits how often it is worked out what was meant: for thousands of names that takes seconds. */
const mostHinted = 100;

type Hint<Known> = (name: string, known: Known) => string;

/** Returns a function that gives the hint for the first names that it is called with, and an empty text for all others. */
export function limitedHints<Known extends Iterable<string>>(
  hint: Hint<Known>,
  { most = mostHinted }: { readonly most?: number } = {},
): Hint<Known> {
  let hinted = 0;
  return (name, known) => (++hinted <= most ? hint(name, known) : '');
}

/**
 * Returns `; it is called "email" now` for a name that was replaced, `; did you mean "email"?` for a mistyped one, and
 * nothing when no known name is near.
 */
export function didYouMean(name: string, known: Iterable<string>): string {
  const names = [...known];
  const renamed = renamedAmong(names, name);
  if (renamed !== undefined) return `; it is called "${renamed}" now`;
  const match = closestName(name, names);
  return match === undefined ? '' : `; did you mean "${match}"?`;
}
