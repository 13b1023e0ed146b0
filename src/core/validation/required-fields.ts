import type { FieldError } from '../exchange/api-error.ts';

/** Which fields must be there, beside what a schema asks for: at the top, and in each item of its lists. */
export interface RequiredFields {
  readonly fields: readonly string[];
  readonly lists?: Readonly<Record<string, RequiredFields>>;
}

const isRecord = (sent: unknown): sent is Readonly<Record<string, unknown>> =>
  typeof sent === 'object' && sent !== null && !Array.isArray(sent);

/** Every required field that is absent or null; whatever is no object is left for the schema to complain of. */
export function missingFieldErrors(sent: unknown, { fields, lists = {} }: RequiredFields, path = ''): FieldError[] {
  if (!isRecord(sent)) return [];
  const missing = fields
    .filter((name) => (sent[name] ?? undefined) === undefined)
    .map((name) => ({ field: `${path}${name}`, errorDescription: 'is required' }));
  const inside = Object.entries(lists).flatMap(([name, required]) => {
    const items = sent[name];
    if (!Array.isArray(items)) return [];
    return items.flatMap((item, i) => missingFieldErrors(item, required, `${path}${name}[${i}].`));
  });
  return [...missing, ...inside];
}
