import { longestDelay } from '../core/lib/duration.ts';
import type { Fault, Distribution } from '../core/exchange/fault.ts';
import type { OperationPlace, Sampler } from '../core/lib/activation.ts';
import { seededRandom } from '../core/lib/random.ts';
import type { RequestView } from '../matching/request-view.ts';

/** Limits whose attempts are counted: one operation more, and the one begun first is forgotten. */
const mostOperations = 10_000;

interface OperationCount {
  readonly operation: number;
  attempt: number;
}

/** Counts operations and their attempts: draws follow from them, never from the order in which requests arrive. */
class OperationCounter {
  readonly #byOperation = new Map<string, OperationCount>();
  #operations = 0;

  /** Counts an attempt of an operation; returns the numbers of both. */
  next(operation: string): OperationPlace {
    const known = this.#byOperation.get(operation) ?? this.#begin(operation);
    known.attempt++;
    return known;
  }

  #begin(operation: string): OperationCount {
    if (this.#byOperation.size >= mostOperations) this.#forgetFirst();
    const begun = { operation: ++this.#operations, attempt: 0 };
    this.#byOperation.set(operation, begun);
    return begun;
  }

  #forgetFirst(): void {
    const [first] = this.#byOperation.keys();
    if (first !== undefined) this.#byOperation.delete(first);
  }
}

/** Makes samplers for the attempts of operations at one rule. */
export function requestSampler(rule: string): (request: RequestView) => Sampler {
  const counter = new OperationCounter();
  return ({ tenant, operationDigest }) => {
    const label = `${tenant.name}/fault/${rule}/${operationDigest}/${counter.next(operationDigest).attempt}`;
    return (name) => seededRandom(tenant.settings.seed, `${label}/${name}`);
  };
}

/** Makes what counts the operations and attempts that one rule matches. */
export function requestPlaces(): (request: RequestView) => OperationPlace {
  const counter = new OperationCounter();
  return ({ operationDigest }) => counter.next(operationDigest);
}

/** True when something of the fault is drawn. */
export const isRandom = ({ delay, dribble }: Fault): boolean =>
  [delay?.distribution, dribble?.interval].some(
    (distribution) => distribution !== undefined && !('fixed' in distribution),
  );

/** Holds the value below which 99 of 100 of the standard normal distribution lie. */
const ninetyNinth = 2.326347874;

/** Returns a length of time in whole ms. */
export function sample(distribution: Distribution, sampler: Sampler, name: string): number {
  if ('fixed' in distribution) return distribution.fixed;
  if ('uniform' in distribution) {
    const [least, most] = distribution.uniform;
    return Math.round(least + sampler(name) * (most - least));
  }
  const { median, p99 } = distribution.lognormal;
  // Box and Muller's transform; 1 - u is never 0, whose logarithm there isn't.
  const normal = Math.sqrt(-2 * Math.log(1 - sampler(name))) * Math.cos(2 * Math.PI * sampler(`${name}/angle`));
  return Math.round(Math.min(median * (p99 / median) ** (normal / ninetyNinth), longestDelay));
}
