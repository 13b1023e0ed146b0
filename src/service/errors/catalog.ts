/** Lists the errors: the specification's table, and what the assumptions add to it. */
import { ApiError, maxFieldErrors } from '../../core/exchange/api-error.ts';
import type { FieldError } from '../../core/exchange/api-error.ts';

interface ErrorDefinition {
  readonly status: number;
  readonly message: string;
  /** Holds the specification's row or the assumption that it comes from. */
  readonly source: string;
}

/** Lists every code a caller can meet, with its status and what it says unless the thrower says it better. */
export const errorCatalog = {
  NoData: {
    status: 400,
    message: 'The body holds no data: send a JSON object with the fields to change.',
    source: 'Errors, A-17',
  },
  ValidationError: {
    status: 400,
    message: 'The data sent is not valid; see validationErrors.',
    source: 'Errors rule 3, A-15',
  },
  InvalidJson: { status: 400, message: 'The body is not valid JSON.', source: 'Errors rule 3' },
  InvalidContentType: {
    status: 400,
    message: 'Send the body as JSON with the header Content-Type: application/json.',
    source: 'A-03',
  },
  UserAgentRequired: { status: 400, message: 'Send a User-Agent header that names your program.', source: 'A-04' },
  Unauthorized: { status: 401, message: 'Send a valid key in the header apikey (or x-api-key).', source: 'A-01' },
  Forbidden: { status: 403, message: 'This request may not come from there.', source: 'security' },
  EndpointNotFound: { status: 404, message: 'Nothing is served here.', source: 'HTTP' },
  NotFound: { status: 404, message: 'Not Found', source: 'Errors' },
  Conflict: { status: 409, message: 'This is not possible as things stand.', source: 'control API' },
  MethodNotAllowed: { status: 405, message: 'This path is not served with this method.', source: 'HTTP' },
  PayloadTooLarge: { status: 413, message: 'The body is too large.', source: 'HTTP' },
  UnsupportedContentEncoding: {
    status: 415,
    message: 'Send the body plain, or with Content-Encoding: gzip, deflate or br.',
    source: 'HTTP',
  },
  TooManyRequests: { status: 429, message: 'Too many requests with this key; slow down.', source: 'A-05' },
  InternalError: { status: 500, message: 'An error has occurred.', source: 'Errors' },
  ContactNotFound: { status: 404, message: 'There is no such contact.', source: 'Errors, A-09' },
  InvalidEmailAddress: { status: 400, message: 'The e-mail address is not well formed.', source: 'A-09' },
  InvalidPhoneNumber: {
    status: 400,
    message: 'The phone number is not well formed: write it with its country code, as +46701234567.',
    source: 'A-09',
  },
  InvalidSocialSecurityNumber: {
    status: 400,
    message: 'This is not a valid Swedish or Finnish personal identity number.',
    source: 'A-09, A-54',
  },
  InvalidContactType: { status: 400, message: 'There is no such contact type.', source: 'A-09, A-13' },
  InvalidSearchQuery: { status: 400, message: 'Name exactly one identifier to look for.', source: 'A-09' },
  MultipleMatches: {
    status: 409,
    message: 'More than one contact matches; name a contactType, or another identifier too.',
    source: 'A-09',
  },
  ApprovedContactWithKeyExists: { status: 409, message: 'Another contact of this type has this key.', source: 'A-14' },
  RetailKpiNotCalculated: {
    status: 404,
    message: 'There is no purchase history summary for this contact.',
    source: 'Errors, A-29',
  },
  BatchNotFound: { status: 404, message: 'There is no such batch.', source: 'A-19' },
  TooManyItems: { status: 400, message: 'Too many items', source: 'Errors, Limits' },
  NewPointSystemNotActive: { status: 400, message: 'New point system not active', source: 'Errors, A-55' },
  PointAccountNotFound: { status: 404, message: 'There is no such point account.', source: 'A-38, A-53' },
  PointDefinitionNotFound: { status: 404, message: 'There is no such point definition.', source: 'A-53' },
  PointTransactionNotFound: { status: 404, message: 'There is no such point transaction.', source: 'A-53' },
  PointTransactionExists: {
    status: 409,
    message: 'A point transaction with this transactionId is there already.',
    source: 'A-42',
  },
  PointFollowerNotActive: { status: 400, message: 'The service is not the point follower.', source: 'A-47' },
  BalanceSyncNotFound: { status: 404, message: 'There is no such balance sync.', source: 'A-45' },
  OrderJobNotFound: { status: 404, message: 'There is no such order job.', source: 'A-30' },
  PromotionNotFound: { status: 404, message: 'There is no such promotion.', source: 'A-33' },
  PromotionNotAssociatedWithContact: {
    status: 404,
    message: 'The promotion is not assigned to this contact.',
    source: 'A-33',
  },
  PromotionAlreadyRedeemed: { status: 409, message: 'The promotion is already redeemed.', source: 'A-33' },
  PromotionNotValidForRedemptionChannel: {
    status: 409,
    message: 'The promotion cannot be redeemed in this channel.',
    source: 'A-33',
  },
  PromotionExpired: { status: 409, message: 'The promotion has expired.', source: 'A-33' },
  ChallengeNotFound: { status: 404, message: 'There is no such challenge.', source: 'A-53' },
  ChallengeDefinitionNotFound: { status: 404, message: 'There is no such challenge definition.', source: 'A-53' },
} as const satisfies Readonly<Record<string, ErrorDefinition>>;

export type ApiErrorCode = keyof typeof errorCatalog;

interface ApiErrorOptions {
  readonly message?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly validationErrors?: readonly FieldError[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** Returns an error of the catalogue, to be thrown. */
export const apiError = (code: ApiErrorCode, parts: ApiErrorOptions = {}): ApiError =>
  new ApiError({ code, ...errorCatalog[code], ...parts });

/** Returns the error of a call whose work ends because the simulator does. */
export const stoppedError = (): ApiError => apiError('InternalError', { message: 'The simulator is being stopped.' });

/**
 * Returns a validation error that names each wrong field; of very many the first thousand, and how many more there are, or
 * are at least, when nobody looked for all. `omitted` counts errors that are not among those given.
 */
export function validationError(errors: readonly FieldError[], { omitted = 0, isCut = false } = {}): ApiError {
  const more = errors.length + omitted - maxFieldErrors;
  const counted = { field: '', errorDescription: `and ${isCut ? 'at least ' : ''}${more} more errors like these` };
  const validationErrors = more > 0 ? [...errors.slice(0, maxFieldErrors), counted] : errors;
  return apiError('ValidationError', { validationErrors });
}

/** Returns a validation error of one field. */
export const invalidFieldError = (field: string, errorDescription: string): ApiError =>
  validationError([{ field, errorDescription }]);
