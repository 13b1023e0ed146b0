/** Groups changes of rows by the noun that they belong to. */
import type { EffectJson } from '../api/api-types.ts';
import { effectTables } from './effect-tables.ts';

export interface EffectGroup {
  readonly title: string;
  readonly effects: readonly EffectJson[];
}

/** Returns the groups that have effects, in the order in which these came about. */
export function groupEffects(effects: readonly EffectJson[]): EffectGroup[] {
  const groups = new Map<string, EffectJson[]>();
  for (const effect of effects) {
    const title = effectTables[effect.table]?.group ?? effect.table;
    const group = groups.get(title);
    if (group) group.push(effect);
    else groups.set(title, [effect]);
  }
  return [...groups].map(([title, own]) => ({ title, effects: own }));
}

type FieldChange = EffectJson['fields'][string];

interface SplitFields {
  /** Holds what is shown at once. */
  readonly main: readonly (readonly [name: string, change: FieldChange])[];
  /** Holds what can be unfolded. */
  readonly rest: readonly (readonly [name: string, change: FieldChange])[];
}

const isSaid = ({ from, to }: FieldChange): boolean =>
  [from, to].some((value) => value !== undefined && value !== null && value !== '');

/** Returns what to show of a change: all fields of an updated row, the most telling ones of a row that came or went. */
export function splitFields({ table, change, fields }: EffectJson): SplitFields {
  const all = Object.entries(fields);
  if (change === 'updated')
    return { main: all.filter(([name]) => name !== 'modifiedOn'), rest: all.filter(([name]) => name === 'modifiedOn') };
  const wanted = effectTables[table]?.fields ?? [];
  const main = wanted.flatMap((name) => all.filter(([field, values]) => field === name && isSaid(values)));
  return { main, rest: all.filter((field) => !main.includes(field)) };
}

/** Returns what created rows among these effects add up to, by unit: the points that a customer gains or loses. */
export function sumsOf(effects: readonly EffectJson[]): [unit: string, sum: number][] {
  const sums = new Map<string, number>();
  for (const { table, change, fields } of effects) {
    const sum = effectTables[table]?.sum;
    if (sum && change === 'created') sums.set(sum.unit, (sums.get(sum.unit) ?? 0) + Number(fields[sum.field]?.to ?? 0));
  }
  return [...sums].filter(([, sum]) => sum !== 0);
}
