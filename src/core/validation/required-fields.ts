import type { FieldError } from '../exchange/api-error.ts';

/** Names fields that are required in addition to those of a schema: at the top, and in each item of its lists. */
export interface RequiredFields {
  readonly fields: readonly string[];
  readonly lists?: Readonly<Record<string, RequiredFields>>;
}

const isRecord = (sent: unknown): sent is Readonly<Record<string, unknown>> =>
  typeof sent === 'object' && sent !== null && !Array.isArray(sent);

/** Returns an error for every required field that is absent or null; a value that is no object is left to the schema. */
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
