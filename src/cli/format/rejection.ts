/** Reads from the response of a rejected request why the service rejected it. */
import * as z from '../../core/validation/deferred-zod.ts';
import type { Exchange } from '../../core/exchange/exchange.ts';
import { redact } from '../../core/exchange/redact.ts';

const errorBodySchema = z.looseObject({
  errorCode: z.string(),
  validationErrors: z.array(z.looseObject({ field: z.string(), errorDescription: z.string() })).optional(),
});

export interface Rejection {
  readonly errorCode: string;
  /** Holds the first wrong field, if the error names fields. */
  readonly field?: string;
  /** Says what is wrong with that field. */
  readonly description?: string;
}

/** Returns why the service rejected a request; undefined when it did not, or a fault responded in its place. */
export function rejectionOf({ response }: Exchange): Rejection | undefined {
  if (!response || response.status < 400 || response.body === undefined) return undefined;
  const { data } = errorBodySchema.safeParse(parseJson(response.body));
  if (!data) return undefined;
  const [wrong] = data.validationErrors ?? [];
  if (!wrong) return { errorCode: data.errorCode };
  return { errorCode: data.errorCode, field: redact(wrong.field), description: redact(wrong.errorDescription) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Formats a rejection as `ValidationError, email must be an e-mail address`. */
export const formatRejection = ({ errorCode, field, description }: Rejection): string =>
  description === undefined ? errorCode : `${errorCode}, ${field === '' ? 'the body' : field} ${description}`;
