import { plural } from '../../core/lib/plural.ts';
import type { Effect } from '../../core/state/effects.ts';
import type { TenantContext } from '../../core/tenant/context.ts';

/** Describes something that a shop would look for in its books: a receipt, points, a redeemed promotion. */
export interface BusinessThing {
  /** Names the contact that it belongs to; undefined for what belongs to nobody. */
  readonly contact: string | undefined;
  /** Describes the thing, as `a receipt of 249 SEK`, or names the unit of its amount: `point`. */
  readonly text: string;
  readonly amount?: number;
  /** Names the field of its contact that it fills, in place of what was there. */
  readonly field?: string;
}

/** Lists the things that the effects on a table stand for, without ids and times. */
export interface ThingWording {
  readonly table: string;
  readonly describe: (effects: readonly Effect[], tenant: TenantContext) => readonly BusinessThing[];
}

/** Returns `120 points of contact 100001`. */
export function formatThing({ contact, text, amount }: BusinessThing): string {
  const what = amount === undefined ? text : plural(amount, text);
  return contact === undefined ? what : `${what} of ${contact}`;
}
