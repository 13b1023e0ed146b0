import type { TenantContext } from '../../core/tenant/context.ts';

/** Describes one value that the service holds of a contact, with the words for where it was looked for. */
export interface HeldValue {
  readonly place: string;
  /** Is undefined where there is nothing of the name that was looked for. */
  readonly value: unknown;
}

interface FieldOfState {
  /** Describes the key for people who write expectations. */
  readonly description: string;
}

/** Describes a number: of receipts, of orders. */
interface AmountField extends FieldOfState {
  readonly kind: 'amount';
  readonly read: (tenant: TenantContext, contactId: string) => HeldValue;
}

/** Describes a number, or numbers by the names of what they belong to: points by the point definition. */
interface AmountByNameField extends FieldOfState {
  readonly kind: 'amount-by-name';
  /** Matches the names that may stand here, such as ids. */
  readonly names: RegExp;
  /** Says what to write, as `of point definitions, as {"1": 120}`. */
  readonly hint: string;
  /** Reads the number that a name has, or the one that a bare number is compared with. */
  readonly read: (tenant: TenantContext, contactId: string, name: string | undefined) => HeldValue;
}

/** Describes a number of things, or a list of those that must be among them. */
interface AmountOrListField extends FieldOfState {
  readonly kind: 'amount-or-list';
  /** Says what to write, as `a list of promotions`. */
  readonly hint: string;
  readonly read: (tenant: TenantContext, contactId: string) => HeldValue;
  /** Returns every name that the things go by. */
  readonly namesOf: (tenant: TenantContext, contactId: string) => ReadonlySet<unknown>;
  /** Says where a thing of this name was looked for. */
  readonly placeOf: (name: string) => string;
}

/** Describes a yes or no by name: consents. */
interface FlagByNameField extends FieldOfState {
  readonly kind: 'flag-by-name';
  readonly read: (tenant: TenantContext, contactId: string, name: string) => HeldValue;
}

/** Declares a key of a scenario's expected state, and reads what a contact has of it. */
export type StateField = AmountField | AmountByNameField | AmountOrListField | FlagByNameField;

/** Declares how many rows of a kind a contact has. */
export const countField = (
  noun: string,
  count: (tenant: TenantContext, contactId: string) => number,
  remark = '',
): StateField => ({
  kind: 'amount',
  description: `Counts the ${noun}${remark} that the contact has`,
  read: (tenant, contactId) => ({ place: `number of ${noun}`, value: count(tenant, contactId) }),
});
