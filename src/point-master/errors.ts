/** Lists why the point master rejects a request: each code with its status, and one form for the response. */

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

/** Rejects a request; nothing of it has taken effect. */
export class PointMasterError extends Error {
  readonly status: number;
  readonly code: PointMasterErrorCode;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: PointMasterErrorCode, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.name = 'PointMasterError';
    this.status = statuses[code];
    this.code = code;
    this.headers = headers;
  }
}

export const pointMasterError = (
  code: PointMasterErrorCode,
  message: string,
  headers?: Readonly<Record<string, string>>,
): PointMasterError => new PointMasterError(code, message, headers);
