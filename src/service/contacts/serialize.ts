/** Serializes a contact for a response. */
import type { TenantContext } from '../../core/tenant/context.ts';
import { contactFields } from './schema.ts';
import type { ContactRow } from './schema.ts';

const unset = Object.fromEntries(contactFields.map((name) => [name, null]));

/** Shows what was never set as A-65 says. */
function serializePreferences(tenant: TenantContext, { preferences }: ContactRow): ContactRow['preferences'] {
  const { acceptsEmail, acceptsPostal, acceptsSms } = preferences;
  if (acceptsEmail !== null && acceptsPostal !== null && acceptsSms !== null) return preferences;
  const variant = tenant.assumption('A-65');
  const absent = variant === 'null' ? null : variant === 'true';
  return {
    acceptsEmail: acceptsEmail ?? absent,
    acceptsPostal: acceptsPostal ?? absent,
    acceptsSms: acceptsSms ?? absent,
  };
}

/** Flat as in the specification's table, in an envelope, or both at once. */
export function serializeContact(tenant: TenantContext, contact: ContactRow): object {
  const variant = tenant.assumption('A-10');
  const { id, contactType, attributes, consents } = contact;
  const preferences = serializePreferences(tenant, contact);
  const flat = { id, ...unset, ...attributes, contactType, preferences, consents };
  if (variant === 'default') return flat;
  const { createdOn, modifiedOn, source, storeExternalId, isApproved } = contact;
  const meta = { contactType, createdOn, modifiedOn, source, storeExternalId, isApproved };
  const envelope = { id, attributes: { ...unset, ...attributes }, meta, preferences, consents };
  return variant === 'envelope' ? envelope : { ...flat, ...envelope };
}
