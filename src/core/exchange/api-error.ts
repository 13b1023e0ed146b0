/** Says where in a request something is wrong, and what was expected. */
export interface FieldError {
  readonly field: string;
  readonly errorDescription: string;
}

/** Limits the wrong fields that a response names. */
export const maxFieldErrors = 1000;

interface ApiErrorOptions {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly validationErrors?: readonly FieldError[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** Rejects a request with the service's own code and message; nothing of the request has taken effect. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  readonly validationErrors: readonly FieldError[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor({ status, code, message, details, validationErrors, headers = {} }: ApiErrorOptions) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.details = details;
    this.validationErrors = validationErrors;
    this.headers = headers;
  }
}
