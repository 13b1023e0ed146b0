/** Tests of a value, told from values by their names. */
export interface ValueTest {
  readonly matches?: string | undefined;
  readonly contains?: string | undefined;
  readonly oneOf?: readonly unknown[] | undefined;
  readonly exists?: boolean | undefined;
  readonly atLeast?: number | undefined;
  readonly atMost?: number | undefined;
}

export const valueTestNames = [
  'matches',
  'contains',
  'oneOf',
  'exists',
  'atLeast',
  'atMost',
] as const satisfies readonly (keyof ValueTest)[];

const names: ReadonlySet<string> = new Set(valueTestNames);

/** Whether all that it names are tests; any other object is a value whose fields are compared. */
export const isValueTest = (value: unknown): value is ValueTest =>
  typeof value === 'object' &&
  value !== null &&
  Object.keys(value).length > 0 &&
  Object.keys(value).every((name) => names.has(name));
