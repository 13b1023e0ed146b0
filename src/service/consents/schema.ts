import * as z from '../../core/validation/deferred-zod.ts';
import type { Table } from '../../core/state/state.ts';

/** Maps a language culture name to text. */
export const localizedText = z.record(
  z.string().regex(/^[a-z]{2}-[A-Z]{2}$/, { error: 'must be a culture name as sv-SE' }),
  z.string(),
);

/** Describes a consent definition (tenant level). */
export const consentSchema = z
  .strictObject({
    id: z.string().min(1),
    name: z.string().min(1),
    type: z.literal('Consent').optional(),
    /** Holds the value that a new contact gets who gives no answer: true, false or Not set. */
    defaultValue: z.union([z.boolean(), z.literal('Not set')]).optional(),
    metaData: z.strictObject({ displayText: localizedText, linkText: localizedText, conditionText: localizedText }),
  })
  .meta({ id: 'ConsentDefinition' });

export type Consent = z.infer<typeof consentSchema>;

export const consents: Table<Consent> = { name: 'consents', scope: 'state', key: (consent) => consent.id };

/** Describes a contact consent, which is only ever yes or no; one that isn't set isn't there. */
export const contactConsentSchema = z
  .strictObject({
    id: z.string(),
    value: z.boolean(),
    date: z.string(),
    source: z.string().nullable(),
    comment: z.string().nullable(),
  })
  .meta({ id: 'ContactConsent' });

export type ContactConsent = z.infer<typeof contactConsentSchema>;
