import type { Effect } from '../../core/state/effects.ts';
import type { TenantContext } from '../../core/tenant/context.ts';

/** Says in the words of the shop what took effect too often. */
export interface DuplicateWording {
  /** Holds the table whose effects it describes. */
  readonly table: string;
  /** Returns a sentence for each thing concerned, from the effects that came on top of those that were meant. */
  readonly describe: (effects: readonly Effect[], tenant: TenantContext) => readonly string[];
}

/** Describes each row that was created in a table. */
export const createdTooOften = (table: string, describe: (effect: Effect) => string): DuplicateWording => ({
  table,
  describe: (effects) => effects.filter(({ change }) => change === 'created').map(describe),
});

/** Returns a field of an effect as a number, which is 0 where there is none. */
export function numberIn(effect: Effect, field: string, side: 'from' | 'to' = 'to'): number {
  const value = effect.fields[field]?.[side];
  return typeof value === 'number' ? value : 0;
}

/** Returns the first of these fields that an effect sets, else the key of its row. */
export const textIn = (effect: Effect, ...fields: readonly string[]): string =>
  String(fields.map((field) => effect.fields[field]?.to).find((value) => (value ?? null) !== null) ?? effect.key);

/** Adds up a number by the contact that each effect is about, leaving out sums of 0. */
export function sumByContact(
  effects: readonly Effect[],
  amountOf: (effect: Effect) => readonly [contact: string, amount: number],
): [contact: string, sum: number][] {
  const totals = new Map<string, number>();
  for (const effect of effects) {
    const [contact, amount] = amountOf(effect);
    totals.set(contact, (totals.get(contact) ?? 0) + amount);
  }
  return [...totals].filter(([, amount]) => amount !== 0);
}
