/** Defines the fields of a contact that a caller may write: the specification's and the retailer's own. */
import { normalizeTimestamp, parseTimestamp } from '../../core/time/clock.ts';
import type { FieldError } from '../../core/exchange/api-error.ts';
import type { TenantContext } from '../../core/tenant/context.ts';
import { validationError } from '../errors/catalog.ts';
import { retailerOf } from '../retailer/operations.ts';
import type { Retailer } from '../retailer/schema.ts';
import { contactFields } from './schema.ts';
import type { ContactBody, ContactRow } from './schema.ts';

type AttributeType = Retailer['contactAttributes'][number]['type'];

const attributeFormats: Readonly<Record<AttributeType, { fits: (value: unknown) => boolean; form: string }>> = {
  text: { fits: (value) => typeof value === 'string', form: 'must be a text' },
  number: {
    fits: (value) => typeof value === 'number' && Number.isFinite(value),
    form: 'must be a finite number, without quotes',
  },
  boolean: { fits: (value) => typeof value === 'boolean', form: 'must be true or false, without quotes' },
  date: {
    fits: (value) => typeof value === 'string' && isDate(value),
    form: 'must be a date as 1985-07-09 or a timestamp with a UTC offset',
  },
  timestamp: {
    fits: (value) => typeof value === 'string' && parseTimestamp(value) !== undefined,
    form: 'must be an ISO 8601 timestamp with a UTC offset',
  },
};

const isDate = (text: string): boolean =>
  parseTimestamp(text) !== undefined ||
  (/^\d{4}-\d{2}-\d{2}$/.test(text) && parseTimestamp(`${text}T00:00:00Z`) !== undefined);

const ownNames = new WeakMap<Retailer, ReadonlySet<string>>();

/** Returns the names of the retailer's own fields. */
export function retailerContactFields(tenant: TenantContext): ReadonlySet<string> {
  const retailer = retailerOf(tenant);
  const names = ownNames.get(retailer) ?? new Set(retailer.contactAttributes.map(({ name }) => name));
  ownNames.set(retailer, names);
  return names;
}

/** Returns the attributes of a body. Throws a validation error that names each wrong field. */
export function parseAttributes(tenant: TenantContext, body: ContactBody): ContactRow['attributes'] {
  const { attributes, errors } = readAttributes(retailerOf(tenant), body);
  if (errors.length > 0) throw validationError(errors);
  return attributes;
}

interface AttributesRead {
  readonly attributes: ContactRow['attributes'];
  readonly errors: readonly FieldError[];
}

/** Returns the attributes of a body, and those of the retailer's own that have a wrong type. */
export function readAttributes({ contactAttributes }: Retailer, body: ContactBody): AttributesRead {
  const attributes: ContactRow['attributes'] = {};
  for (const name of contactFields) if (body[name] !== undefined) attributes[name] = body[name];
  for (const { name, type } of contactAttributes) {
    const value = Object.hasOwn(body, name) ? body[name] : undefined;
    // Just seen to be text, number, boolean or null.
    if (value === undefined || !fits(type, value)) continue;
    attributes[name] = normalizedValue(type, value as ContactRow['attributes'][string]);
  }
  return { attributes, errors: typeErrors(contactAttributes, body) };
}

const normalizedValue = (type: AttributeType, value: ContactRow['attributes'][string]): typeof value =>
  typeof value === 'string' && (type === 'timestamp' || type === 'date') ? normalizeTimestamp(value) : value;

/** Reports the retailer's own fields that are of another type than theirs; whatever is no object has none of them. */
export const attributeErrors = (tenant: TenantContext, sent: unknown): FieldError[] =>
  typeof sent === 'object' && sent !== null ? typeErrors(retailerOf(tenant).contactAttributes, sent) : [];

function typeErrors(contactAttributes: Retailer['contactAttributes'], sent: object): FieldError[] {
  return contactAttributes
    .filter(({ name, type }) => {
      const value = fieldOf(sent, name);
      return value !== undefined && !fits(type, value);
    })
    .map(({ name, type }) => ({ field: name, errorDescription: attributeFormats[type].form }));
}

const fieldOf = (of: object, name: string): unknown =>
  Object.hasOwn(of, name) ? (of as Readonly<Record<string, unknown>>)[name] : undefined;

const fits = (type: AttributeType, value: unknown): boolean =>
  value === null || value === '' || attributeFormats[type].fits(value);
