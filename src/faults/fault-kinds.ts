import { badChunk } from './kinds/bad-chunk.ts';
import type { FaultKind } from './kinds/fault-kind.ts';
import { full } from './kinds/full.ts';
import { garbage } from './kinds/garbage.ts';
import { headers } from './kinds/headers.ts';
import { none } from './kinds/none.ts';
import { partial } from './kinds/partial.ts';
import { status } from './kinds/status.ts';

const list = [full, status, none, headers, partial, badChunk, garbage] as const;

/** Lists every way to respond when a fault hits. */
export const faultKinds: readonly FaultKind[] = list;

type Kind = (typeof list)[number];
export type FaultKindName = Kind['name'];
type Alias<One> = One extends { readonly aliases?: Readonly<Record<infer Name, unknown>> } ? Name : never;
export type FaultAlias = Extract<Alias<Kind>, string>;
type Intersection<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;
type OwnFields = Intersection<Kind['fields']>;

// The names of the list above, which is not empty.
export const faultKindNames = list.map(({ name }) => name) as [FaultKindName, ...FaultKindName[]];

/** Holds the fields that only some kinds have. */
// Made of the fields of the list above.
export const kindFields = Object.assign({}, ...list.map(({ fields }) => fields)) as OwnFields;

const kindByName: ReadonlyMap<string, FaultKind> = new Map(faultKinds.map((kind) => [kind.name, kind]));

export function faultKindOf(name: string): FaultKind {
  const kind = kindByName.get(name);
  if (kind) return kind;
  throw new Error(`there is no kind of fault called ${name}`);
}

/** Holds the names that people know from other tools, each with its fault. */
export const faultAliases = new Map(faultKinds.flatMap(({ aliases = {} }) => Object.entries(aliases)));

// The aliases of the list above, which has some; those of other tools first.
export const faultAliasNames = [...faultAliases.keys()].toSorted() as [FaultAlias, ...FaultAlias[]];
