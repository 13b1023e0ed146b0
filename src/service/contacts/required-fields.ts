import type { FieldError } from '../../core/exchange/api-error.ts';
import type { ContactType } from '../retailer/schema.ts';
import type { ContactRow } from './schema.ts';

/** Reports which fields that its type asks for a contact lacks; "" and null count as lacking. */
export function missingContactFields(type: ContactType, attributes: ContactRow['attributes']): FieldError[] {
  const { id, keyAttribute, required, requiresOneOf } = type;
  const isMissing = (name: string): boolean => (attributes[name] ?? '') === '';
  const missing: FieldError[] = [...new Set([keyAttribute, ...required])]
    .filter(isMissing)
    .map((field) => ({ field, errorDescription: `is required of a contact of type ${id}` }));
  const [first] = requiresOneOf;
  if (first === undefined || !requiresOneOf.every(isMissing)) return missing;
  const errorDescription = `a contact of type ${id} needs at least one of ${requiresOneOf.join(', ')}`;
  return [...missing, { field: first, errorDescription }];
}
