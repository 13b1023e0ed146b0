/** What the specification says of contacts and consents, once more and as simply as can be: to check the service by. */

const matchKeys = ['email', 'mobilePhone', 'externalId'] as const;

interface ModelContact {
  readonly id: string;
  contactType: string;
  fields: Record<string, string | null>;
  consents: Map<string, boolean>;
}

export type Fields = Readonly<Record<string, string | null>>;

/** Contacts in a plain list, walked from end to end for every question. */
export class ContactModel {
  readonly contacts: ModelContact[] = [];

  at(n: number): ModelContact | undefined {
    return this.contacts[n % Math.max(1, this.contacts.length)];
  }

  /** The contact in whose way the fields would be: one key leads to one contact of a type. */
  conflict(contactType: string, fields: Fields, own?: string): boolean {
    return this.contacts.some(
      (other) =>
        other.id !== own &&
        other.contactType === contactType &&
        matchKeys.some((key) => fields[key] && other.fields[key]?.toLowerCase() === fields[key]?.toLowerCase()),
    );
  }

  lookUp(contactType: string, email: string): string | undefined {
    const isIt = ({ fields, contactType: type }: ModelContact): boolean =>
      type === contactType && fields.email === email;
    return this.contacts.find(isIt)?.id;
  }

  /** The status that a creation is answered with. */
  create(id: string, contactType: string, fields: Fields): number {
    if (!fields.email) return 400;
    if (this.conflict(contactType, fields)) return 409;
    this.contacts.push({ id, contactType, fields: { ...fields }, consents: new Map() });
    return 201;
  }

  update(contact: ModelContact, fields: Fields): number {
    if (Object.keys(fields).length === 0) return 400;
    if (this.conflict(contact.contactType, { ...contact.fields, ...fields }, contact.id)) return 409;
    contact.fields = { ...contact.fields, ...fields };
    return 200;
  }

  changeType(contact: ModelContact, contactType: string): number {
    if (!contact.fields.email) return 400;
    if (this.conflict(contactType, contact.fields, contact.id)) return 409;
    contact.contactType = contactType;
    return 200;
  }
}
