import type { FieldError } from '../exchange/api-error.ts';

/** Names fields that are required in addition to those of a schema: at the top, and in each item of its lists. */
export interface RequiredFields {
  readonly fields: readonly string[];
  readonly lists?: Readonly<Record<string, RequiredFields>>;
}

const isRecord = (sent: unknown): sent is Readonly<Record<string, unknown>> =>
  typeof sent === 'object' && sent !== null && !Array.isArray(sent);

/** Returns an error for every required field that is absent or null; a value that is no object is left to the schema. */
export function missingFieldErrors(sent: unknown, required: RequiredFields): FieldError[] {
  const missing: FieldError[] = [];
  collectMissing(missing, sent, required, '');
  return missing;
}

function collectMissing(missing: FieldError[], sent: unknown, { fields, lists }: RequiredFields, path: string): void {
  if (!isRecord(sent)) return;
  for (const name of fields) {
    if ((sent[name] ?? undefined) === undefined)
      missing.push({ field: `${path}${name}`, errorDescription: 'is required' });
  }
  for (const name in lists) {
    const [items, inside] = [sent[name], lists[name]];
    if (!inside || !Array.isArray(items)) continue;
    for (let i = 0; i < items.length; i++) collectMissing(missing, items[i], inside, `${path}${name}[${i}].`);
  }
}
