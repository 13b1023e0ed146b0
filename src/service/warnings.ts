/** Lists the codes of all warnings, by which a verdict can fail. */
import * as z from '../core/validation/deferred-zod.ts';
import { didYouMean, limitedHints } from '../core/lib/suggest.ts';
import { expectedType, text, upTo } from '../core/validation/field-types.ts';

export const warningCodes = [
  'amount-missing',
  'bulk-items-refused',
  'bulk-sent-again',
  'challenge-definition-not-active',
  'challenge-over',
  'checkpoint-not-accepted',
  'communication-not-sent',
  'consents-kept',
  'contact-type-unmoved',
  'content-type',
  'deprecated-endpoint',
  'details-unused',
  'expiry-setting',
  'future-receipt',
  'key-missing',
  'key-unread',
  'method-override',
  'older-balance',
  'order-of-another-contact',
  'parameter-in-header',
  'points-expired',
  'promotion-not-active',
  'promotion-of-another-contact',
  'promotion-used-again',
  'repeated-bulk',
  'repeated-consent',
  'repeated-field',
  'repeated-order',
  'repeated-receipt',
  'repeated-transaction',
  'return-unmatched',
  'unknown-contact',
  'unknown-field',
  'unknown-parameter',
  'unknown-promotion',
  'unknown-rate',
  'unknown-store',
  'unknown-voucher',
  'unread-body',
  'unread-contact-type',
  'unread-header',
  'user-agent',
  'valid-from-ignored',
  'valid-to-unused',
  'value-erased',
  'voucher-expired',
  'voucher-of-another-contact',
  'voucher-used-again',
  'vouchers-left',
  'webhook-missed',
  'wrong-sign',
] as const;

/** Stands for every code. */
export const everyWarning = 'all';

const names: ReadonlySet<string> = new Set([everyWarning, ...warningCodes]);

/** Checks a list of codes; its messages name the code that was probably meant. */
export const warningCodeList = z
  .array(text, expectedType('a list of codes such as ["points-expired"]'))
  .max(...upTo(100, 'codes'))
  .superRefine((codes, context) => {
    const hint = limitedHints<ReadonlySet<string>>(didYouMean);
    for (const [i, code] of codes.entries()) {
      if (names.has(code)) continue;
      const message = `there is no warning "${code}"${hint(code, names) || `; give the code of one, or ${everyWarning}`}`;
      context.addIssue({ code: 'custom', path: [i], message });
    }
  });

/** Reads codes from texts, each of which may hold several with commas between. */
export const readWarningCodes = (texts: readonly string[]): readonly string[] =>
  texts.flatMap((line) => line.split(',')).flatMap((name) => name.trim() || []);
