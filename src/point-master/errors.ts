/** Why the point master turns a call down: one list of codes with their status, and one form for the answer. */
import { ApiError } from '../core/exchange/api-error.ts';

const statuses = {
  InvalidJson: 400,
  InvalidEnvelope: 400,
  InvalidPayload: 400,
  InvalidInput: 400,
  NotEncrypted: 400,
  CannotDecrypt: 400,
  MissingSignature: 401,
  InvalidSignature: 401,
  TimestampOutOfTolerance: 401,
  Unauthorized: 401,
  WrongTenant: 403,
  Forbidden: 403,
  NotFound: 404,
  MethodNotAllowed: 405,
  EventIdReused: 409,
  NoServiceUrl: 409,
  PayloadTooLarge: 413,
} as const satisfies Readonly<Record<string, number>>;

export type PointMasterErrorCode = keyof typeof statuses;

export const pointMasterError = (
  code: PointMasterErrorCode,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): ApiError => new ApiError({ status: statuses[code], code, message, headers });
