/** Says why something that a person wrote (a file, an option, an environment variable) can't be used. */
export class InputError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'InputError';
  }
}

/** Names the option that can't be used, by itself or together with the others. */
export class OptionError extends InputError {
  readonly option: string;
  /** Holds the message without the option's name. */
  readonly reason: string;

  constructor(option: string, message: string) {
    super(`${option}: ${message}`);
    this.name = 'OptionError';
    this.option = option;
    this.reason = message;
  }
}

/** Says that another process holds what was named: it serves from the same file. */
export class InUseError extends InputError {
  constructor(message: string) {
    super(message);
    this.name = 'InUseError';
  }
}
