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

/** Returns the faults without which the finding does not show; `likely` names those that probably suffice. */
export async function shrinkHits(
  all: readonly Hit[],
  likely: readonly Hit[],
  showsWith: ShowsWith,
  weakerThan: WeakerThan = ({ probe }) => incidentOf(probe).weaker,
): Promise<Shrunk> {
  const shows = remembered(showsWith);
  const isLikely = likely.length > 0 && likely.length < all.length && (await shows(likely));
  const start = isLikely ? likely : all;
  if (!isLikely && !(await shows(all))) return { hits: all, isReproduced: false };
  const fewest = await dropAll(start, shows);
  const hits = await weaken(fewest, shows, weakerThan);
  // A weaker fault may make another one needless.
  return { hits: hits === fewest ? hits : await dropAll(hits, shows), isReproduced: true };
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
async function dropAll(all: readonly Hit[], shows: ShowsWith): Promise<readonly Hit[]> {
  let hits = all;
  for (let size = Math.ceil(hits.length / 2); size >= 1 && hits.length > 1;) {
    const smaller = await dropPart(hits, size, shows);
    if (smaller) hits = smaller;
    else if (size === 1) break;
    size = smaller ? Math.min(size, Math.ceil(hits.length / 2)) : Math.ceil(size / 2);
  }
  return hits;
}

/** Returns the faults without one part of this size; undefined when every part is needed. */
async function dropPart(hits: readonly Hit[], size: number, shows: ShowsWith): Promise<readonly Hit[] | undefined> {
  for (let start = 0; start < hits.length; start += size) {
    const rest = hits.toSpliced(start, size);
    if (rest.length > 0 && (await shows(rest))) return rest;
  }
  return undefined;
}

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
