/** Holds tests of a value, which their names distinguish from values. */
export interface ValueMatcherSpec {
  readonly matches?: string | undefined;
  readonly contains?: string | undefined;
  readonly oneOf?: readonly unknown[] | undefined;
  readonly exists?: boolean | undefined;
  readonly atLeast?: number | undefined;
  readonly atMost?: number | undefined;
}

export const valueMatcherOperators = [
  'matches',
  'contains',
  'oneOf',
  'exists',
  'atLeast',
  'atMost',
] as const satisfies readonly (keyof ValueMatcherSpec)[];

const names: ReadonlySet<string> = new Set(valueMatcherOperators);

/** True when all that it names are tests; any other object is a value whose fields are compared. */
export const isValueMatcherSpec = (value: unknown): value is ValueMatcherSpec =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.keys(value).length > 0 &&
  Object.keys(value).every((name) => names.has(name));
