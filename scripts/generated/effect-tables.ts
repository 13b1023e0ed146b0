/** src/dashboard/effects/effect-tables.ts: how the dashboard shows changes of each table, as its noun declares it. */
import { tableOwners } from '../../src/service/tables.ts';

const capitalized = (name: string): string => name.slice(0, 1).toUpperCase() + name.slice(1);

/** Returns the text of src/dashboard/effects/effect-tables.ts. */
export function effectTables(): string {
  const entries = tableOwners.flatMap(({ name, headlines = [] }) =>
    headlines.map(({ table, ...shown }) => [table, { group: capitalized(name), ...shown }] as const),
  );
  return `/** Made by \`npm run generate\` from the headlines in the resources of src/service. Change those, not this. */

export interface EffectTable {
  /** Heads the changes of the table. */
  readonly group: string;
  /** Names the fields that say the most of a created or deleted row. */
  readonly fields: readonly string[];
  /** Names a field of created rows that is added up, and the unit of its sum. */
  readonly sum?: { readonly field: string; readonly unit: string };
}

/** Holds how the changes of each table are shown. */
export const effectTables: Readonly<Record<string, EffectTable>> = ${JSON.stringify(Object.fromEntries(entries), undefined, 2)};
`;
}
