/** One thing wrong with what was sent: where, and what was expected. */
export interface FieldError {
  readonly field: string;
  readonly errorDescription: string;
}

interface ApiErrorOptions {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly validationErrors?: readonly FieldError[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** A call that the service turns down, in its own words; nothing of the call has happened. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  readonly validationErrors: readonly FieldError[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor({ status, code, message, details, validationErrors, headers = {} }: ApiErrorOptions) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
    this.code = code;
    this.details = details;
    this.validationErrors = validationErrors;
    this.headers = headers;
  }
}

/** Something a person wrote (a file, an option, an environment variable) that can't be used as it is. */
export class InputError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'InputError';
  }
}

/** An option that can't be as it is, by itself or beside the others. */
export class OptionError extends InputError {
  readonly option: string;
  /** The message without the option's name. */
  readonly reason: string;

  constructor(option: string, message: string) {
    super(`${option}: ${message}`);
    this.name = 'OptionError';
    this.option = option;
    this.reason = message;
  }
}

/** What a person asked for is right, but somebody else has it: another process serves from the same file. */
export class InUseError extends InputError {
  constructor(message: string) {
    super(message);
    this.name = 'InUseError';
  }
}
