/** Makes a failing run small: drops every fault that it does not take, and weakens those that remain. */
import { hitOf, pointId } from './experiment.ts';
import type { Hit } from './experiment.ts';
import { incidentOf } from './probes.ts';

/** Runs the client with these faults alone; resolves to whether what was found shows. */
export type ShowsWith = (hits: readonly Hit[]) => Promise<boolean>;

/** Names the faults that ask less of a client than this one. */
type WeakerThan = (hit: Hit) => readonly string[];

interface Shrunk {
  readonly hits: readonly Hit[];
  /** False when it did not show again, not even with all faults. */
  readonly isReproduced: boolean;
}

interface ShrinkOptions {
  /** Names faults that probably suffice, the likeliest first (default: none). */
  readonly likely?: readonly (readonly Hit[])[];
  /** Limits the number of runs that may be made at once (default: 1). */
  readonly sideBySide?: number;
  /** Names the faults that are tried in the place of one (default: those that are known to ask less). */
  readonly weakerThan?: WeakerThan;
}

/** Returns the faults without which the finding does not show. */
export async function shrinkHits(
  all: readonly Hit[],
  showsWith: ShowsWith,
  { likely = [], sideBySide = 1, weakerThan = ({ probe }) => incidentOf(probe).weaker }: ShrinkOptions = {},
): Promise<Shrunk> {
  const shows = remembered(showsWith);
  const start = await firstThatShows([...likely.filter(isSome), all], shows);
  if (!start) return { hits: all, isReproduced: false };
  const fewest = await dropAll(start, shows, sideBySide);
  const hits = await weaken(fewest, shows, weakerThan);
  // A weaker fault may make another one needless.
  return { hits: hits === fewest ? hits : await dropAll(hits, shows, sideBySide), isReproduced: true };
}

const isSome = (hits: readonly Hit[]): boolean => hits.length > 0;

/** Returns the first of these that shows it; tries so many at once. */
async function firstThatShows(
  some: readonly (readonly Hit[])[],
  shows: ShowsWith,
  sideBySide = 1,
): Promise<readonly Hit[] | undefined> {
  for (let i = 0; i < some.length; i += sideBySide) {
    const tried = some.slice(i, i + sideBySide);
    const shown = await Promise.all(tried.map(shows));
    const hits = tried[shown.indexOf(true)];
    if (hits) return hits;
  }
  return undefined;
}

function remembered(showsWith: ShowsWith): ShowsWith {
  const known = new Map<string, Promise<boolean>>();
  return (hits) => {
    const name = hits.map(pointId).toSorted().join('\n');
    const result = known.get(name) ?? showsWith(hits);
    known.set(name, result);
    return result;
  };
}

/** Drops faults, halves first and then one by one, until each of them is needed. */
async function dropAll(all: readonly Hit[], shows: ShowsWith, sideBySide: number): Promise<readonly Hit[]> {
  let hits = all;
  for (let size = Math.ceil(hits.length / 2); size >= 1 && hits.length > 1;) {
    const smaller = await firstThatShows(withoutParts(hits, size), shows, sideBySide);
    if (smaller) hits = smaller;
    else if (size === 1) break;
    size = smaller ? Math.min(size, Math.ceil(hits.length / 2)) : Math.ceil(size / 2);
  }
  return hits;
}

/** Returns the faults without one part of this size, for every such part. */
const withoutParts = (hits: readonly Hit[], size: number): (readonly Hit[])[] =>
  Array.from({ length: Math.ceil(hits.length / size) }, (_, part) => hits.toSpliced(part * size, size)).filter(isSome);

/** Replaces each fault by the weakest that shows it too. */
async function weaken(hits: readonly Hit[], shows: ShowsWith, weakerThan: WeakerThan): Promise<readonly Hit[]> {
  for (const [i, hit] of hits.entries()) {
    for (const weaker of weakerThan(hit)) {
      const weakened = hits.with(i, hitOf(hit, weaker));
      if (await shows(weakened)) return weaken(weakened, shows, weakerThan);
    }
  }
  return hits;
}
