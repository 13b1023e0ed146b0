import type { TenantContext } from '../../core/tenant/context.ts';
import { contacts } from './schema.ts';

/** Names a contact for a sentence by what a shop knows it by. */
export function contactName(tenant: TenantContext, contactId: unknown): string {
  const contact = typeof contactId === 'string' ? tenant.get(contacts, contactId) : undefined;
  const { memberNumber, externalId, email } = contact?.attributes ?? {};
  const name = memberNumber ?? externalId ?? email ?? contactId;
  return name === undefined ? 'a contact that is gone' : `contact ${String(name)}`;
}
