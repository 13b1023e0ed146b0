/** Serializes a contact for a response. */
import type { TenantContext } from '../../core/tenant/context.ts';
import { contactFields } from './schema.ts';
import type { ContactRow } from './schema.ts';

const unset = Object.fromEntries(contactFields.map((name) => [name, null]));

/** Flat as in the specification's table, in an envelope, or both at once. */
export function serializeContact(tenant: TenantContext, contact: ContactRow): object {
  const variant = tenant.assumption('A-10');
  const { id, contactType, attributes, preferences, consents } = contact;
  const flat = { id, ...unset, ...attributes, contactType, preferences, consents };
  if (variant === 'default') return flat;
  const { createdOn, modifiedOn, source, storeExternalId, isApproved } = contact;
  const meta = { contactType, createdOn, modifiedOn, source, storeExternalId, isApproved };
  const envelope = { id, attributes: { ...unset, ...attributes }, meta, preferences, consents };
  return variant === 'envelope' ? envelope : { ...flat, ...envelope };
}
