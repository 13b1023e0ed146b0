/** What is drawn for a rule: from seed, tenant, rule, operation and attempt, never from the order in which calls arrive. */
import { longestDelay } from '../core/duration.ts';
import type { Fault, Spread } from '../core/faults.ts';
import { draw } from '../core/ids.ts';
import type { Asked } from './asked.ts';

/** So many operations' attempts are counted at once; that of the one begun first is forgotten for a further one. */
const mostOperations = 10_000;

/** Counts the attempts of operations. */
export class Attempts {
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
export type Dice = (name: string) => number;

/** Dice for one attempt of an operation at one rule. */
export const diceFor = ({ tenant, operation }: Asked, rule: string, attempt: number): Dice => {
  const label = `${tenant.name}/fault/${rule}/${operation}/${attempt}`;
  return (name) => draw(tenant.settings.seed, `${label}/${name}`);
};

/** Whether something of the fault is drawn. */
export const isDrawn = ({ delay, dribble }: Fault): boolean =>
  [delay?.spread, dribble?.pause].some((spread) => spread !== undefined && !('fixed' in spread));

/** Of the standard normal distribution, 99 of 100 lie below. */
const ninetyNinth = 2.326347874;

/** A length of time in ms, whole. */
export function drawFrom(spread: Spread, dice: Dice, name: string): number {
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
