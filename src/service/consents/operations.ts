import { toTimestamp } from '../../core/time/clock.ts';
import type { TenantContext } from '../../core/tenant/context.ts';
import { didYouMean, limitedHints } from '../../core/lib/suggest.ts';
import { validationError } from '../errors/catalog.ts';
import { consents } from './schema.ts';
import type { Consent, ContactConsent } from './schema.ts';

export const listConsents = (tenant: TenantContext): Consent[] =>
  [...tenant.all(consents)].toSorted((a, b) => (a.id < b.id ? -1 : 1));

/** Describes an answer to a consent as the caller sends it. */
export interface ConsentAnswer {
  readonly id: string;
  readonly value: boolean;
  readonly source?: string | null | undefined;
  readonly comment?: string | null | undefined;
}

/**
 * Returns the consents of a contact after some were answered: each answer replaces the one before, whatever isn't
 * mentioned stays, and nothing ever goes back to not set (Consent transitions).
 */
export function answerConsents(
  tenant: TenantContext,
  present: readonly ContactConsent[],
  answers: readonly ConsentAnswer[],
): readonly ContactConsent[] {
  checkKnown(tenant, answers);
  warnOfRepeated(tenant, answers);
  const date = toTimestamp(tenant.now());
  const byId = new Map(present.map((consent) => [consent.id, consent]));
  for (const { id, value, source = null, comment = null } of answers)
    byId.set(id, { id, value, date, source, comment });
  return [...byId.values()];
}

/** Returns the consents of a new contact, with the default values of those that have one. */
export function withDefaultConsents(
  tenant: TenantContext,
  answered: readonly ContactConsent[],
): readonly ContactConsent[] {
  const date = toTimestamp(tenant.now());
  const unanswered = listConsents(tenant).flatMap(({ id, defaultValue: value }) =>
    typeof value === 'boolean' && !answered.some((consent) => consent.id === id)
      ? [{ id, value, date, source: null, comment: null }]
      : [],
  );
  if (unanswered.length === 0 || tenant.assumption('A-70') === 'shown') return answered;
  return [...answered, ...unanswered];
}

function checkKnown(tenant: TenantContext, answers: readonly ConsentAnswer[]): void {
  const unknown = [...answers.entries()].filter(([, { id }]) => !tenant.get(consents, id));
  if (unknown.length === 0) return;
  const known = listConsents(tenant).map((consent) => consent.id);
  const all = known.length > 0 ? `; there are ${known.join(', ')}` : '; there are none';
  const hint = limitedHints((id, ids: readonly string[]) => didYouMean(id, ids) || all);
  throw validationError(
    unknown.map(([i, { id }]) => ({
      field: `consents[${i}].id`,
      errorDescription: `there is no consent "${id}"${hint(id, known)}`,
    })),
  );
}

function warnOfRepeated(tenant: TenantContext, answers: readonly ConsentAnswer[]): void {
  const repeated = answers.filter(({ id }, i) => answers.findIndex((first) => first.id === id) < i);
  for (const id of new Set(repeated.map((consent) => consent.id))) {
    tenant.warn('repeated-consent', `the consent "${id}" is answered more than once; the last answer counts`);
  }
}
