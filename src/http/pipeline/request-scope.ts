import type { TenantSettings } from '../../core/tenant/settings.ts';

/** Says for whom a request is handled, and how strictly its input is read. */
export interface RequestScope<Context> {
  readonly context: Context;
  readonly fieldValidation: TenantSettings['fieldValidation'];
  readonly warn: (code: string, message: string) => void;
  readonly assumption: (id: string) => string;
  readonly recordBody: (text: string) => void;
}

/** Adds how an endpoint's handler is carried out as one piece of work. */
export interface TransactionScope<Context, Result> extends RequestScope<Context> {
  readonly transact: (work: () => Result) => Result;
}
