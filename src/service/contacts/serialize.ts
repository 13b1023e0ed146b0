/** Serializes a contact for a response. */
import type { TenantContext } from '../../core/tenant/context.ts';
import { reusableBody } from '../../core/exchange/reusable-body.ts';
import { contactFields } from './schema.ts';
import type { ContactRow } from './schema.ts';

const unset = Object.fromEntries(contactFields.map((name) => [name, null]));

type Preferences = ContactRow['preferences'];

const isComplete = ({ acceptsEmail, acceptsPostal, acceptsSms }: Preferences): boolean =>
  acceptsEmail !== null && acceptsPostal !== null && acceptsSms !== null;

/** Shows what was never set as A-65 says. */
function completePreferences({ acceptsEmail, acceptsPostal, acceptsSms }: Preferences, variant: string): Preferences {
  const absent = variant === 'null' ? null : variant === 'true';
  return {
    acceptsEmail: acceptsEmail ?? absent,
    acceptsPostal: acceptsPostal ?? absent,
    acceptsSms: acceptsSms ?? absent,
  };
}

/** Returns a contact flat as in the specification's table, in an envelope, or both at once. */
export function serializeContact(tenant: TenantContext, contact: ContactRow): object {
  const variant = tenant.assumption('A-10');
  const absent = isComplete(contact.preferences) ? '' : tenant.assumption('A-65');
  return reusableBody(contact, `${variant} ${absent}`, () => {
    const { id, contactType, attributes, consents } = contact;
    const preferences = absent === '' ? contact.preferences : completePreferences(contact.preferences, absent);
    const flat = { id, ...unset, ...attributes, contactType, preferences, consents };
    if (variant === 'default') return flat;
    const { createdOn, modifiedOn, source, storeExternalId, isApproved } = contact;
    const meta = { contactType, createdOn, modifiedOn, source, storeExternalId, isApproved };
    const envelope = { id, attributes: { ...unset, ...attributes }, meta, preferences, consents };
    return variant === 'envelope' ? envelope : { ...flat, ...envelope };
  });
}
