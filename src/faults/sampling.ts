/** What is drawn for a rule: from seed, tenant, rule, operation and attempt, never from the order in which calls arrive. */
import { longestDelay } from '../core/lib/duration.ts';
import type { Fault, Distribution } from '../core/exchange/fault.ts';
import { seededRandom } from '../core/lib/random.ts';
import type { RequestView } from '../matching/request-view.ts';

/** So many operations' attempts are counted at once; that of the one begun first is forgotten for a further one. */
const mostOperations = 10_000;

/** Counts the attempts of operations. */
export class AttemptCounter {
  readonly #byOperation = new Map<string, number>();

  /** The number of this attempt of an operation, from 1. */
  next(operation: string): number {
    const number = (this.#byOperation.get(operation) ?? 0) + 1;
    if (number === 1 && this.#byOperation.size >= mostOperations) this.#forgetFirst();
    this.#byOperation.set(operation, number);
    return number;
  }

  #forgetFirst(): void {
    const [first] = this.#byOperation.keys();
    if (first !== undefined) this.#byOperation.delete(first);
  }
}

/** Draws a number in [0, 1) for what it is asked for by name; the same name, the same number. */
export type Sampler = (name: string) => number;

/** Dice for one attempt of an operation at one rule. */
export const samplerFor = (
  { tenant, operationDigest: operation }: RequestView,
  rule: string,
  attempt: number,
): Sampler => {
  const label = `${tenant.name}/fault/${rule}/${operation}/${attempt}`;
  return (name) => seededRandom(tenant.settings.seed, `${label}/${name}`);
};

/** Whether something of the fault is drawn. */
export const isRandom = ({ delay, dribble }: Fault): boolean =>
  [delay?.distribution, dribble?.interval].some((spread) => spread !== undefined && !('fixed' in spread));

/** Of the standard normal distribution, 99 of 100 lie below. */
const ninetyNinth = 2.326347874;

/** A length of time in ms, whole. */
export function sample(spread: Distribution, dice: Sampler, name: string): number {
  if ('fixed' in spread) return spread.fixed;
  if ('uniform' in spread) {
    const [least, most] = spread.uniform;
    return Math.round(least + dice(name) * (most - least));
  }
  const { median, p99 } = spread.lognormal;
  // Box and Muller's transform; 1 - u is never 0, whose logarithm there isn't.
  const normal = Math.sqrt(-2 * Math.log(1 - dice(name))) * Math.cos(2 * Math.PI * dice(`${name}/angle`));
  return Math.round(Math.min(median * (p99 / median) ** (normal / ninetyNinth), longestDelay));
}
