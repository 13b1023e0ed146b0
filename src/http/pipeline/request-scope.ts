import type { ApiResponse, Endpoint } from '../../core/exchange/endpoint.ts';
import { recordBody } from '../../core/exchange/exchange.ts';
import type { Exchange } from '../../core/exchange/exchange.ts';
import type { TenantContext } from '../../core/tenant/context.ts';
import type { Steps } from '../../core/time/steps.ts';
import type { TenantSettings } from '../../core/tenant/settings.ts';
import type { Tenant } from '../../core/tenant/tenant.ts';
import { serviceExtent } from '../../core/validation/extent.ts';
import type { ExtentLimits } from '../../core/validation/extent.ts';
import { serviceWording } from '../../core/validation/schema-diagnostics.ts';
import type { Wording } from '../../core/validation/schema-diagnostics.ts';
import type { AppContext } from '../context.ts';
import { isDryRun } from './fault-injection.ts';

/** Says for whom a request is handled, and how strictly its input is read. */
export interface RequestScope<Context> {
  readonly context: Context;
  readonly fieldValidation: TenantSettings['fieldValidation'];
  readonly warn: (code: string, message: string) => void;
  /** Counts so many more warnings of a code of which a thousand were added. */
  readonly warnOfMore: (code: string, more: number) => void;
  readonly assumption: (id: string) => string;
  readonly recordBody: (text: string) => void;
  readonly wording: Wording;
  /** Limits how much its body may hold. */
  readonly extent: ExtentLimits;
}

/** Holds what an endpoint's handler does with its input; while it is long, others may have their turn. */
export interface HandlerWork<Result> {
  readonly handle: () => Result;
  readonly isLong: boolean;
}

/** Adds how an endpoint's handler is carried out as one piece of work. */
export interface TransactionScope<Context, Result> extends RequestScope<Context> {
  readonly transact: (work: HandlerWork<Result>) => Result | Promise<ApiResponse>;
  /** Does the same with input that takes long to read, in turns: requests that come later wait for reading and work. */
  readonly transactInTurns: (reading: Steps<HandlerWork<Result>>) => Promise<ApiResponse>;
}

/** Handles a request for its tenant: records its effects in the exchange, and commits unless a fault wants a dry run. */
export class TenantScope implements TransactionScope<TenantContext, ApiResponse> {
  readonly wording = serviceWording;
  readonly extent = serviceExtent;
  readonly fieldValidation: TenantSettings['fieldValidation'];
  readonly #tenant: Tenant;
  readonly #exchange: Exchange;

  constructor(c: AppContext, { id, assumptions }: Endpoint) {
    this.#tenant = c.get('tenant');
    this.#exchange = c.get('exchange');
    this.fieldValidation = this.#tenant.settings.fieldValidation;
    const { sideEffects } = this.#exchange;
    const recorded = sideEffects.assumptions;
    this.#exchange.endpoint = id;
    if (assumptions) sideEffects.assumptions = assumptions;
    for (const one of recorded) sideEffects.recordAssumption(one);
  }

  get context(): TenantContext {
    return this.#tenant;
  }

  warn(code: string, message: string): void {
    this.#exchange.sideEffects.warn(code, message);
  }

  warnOfMore(code: string, more: number): void {
    this.#exchange.sideEffects.warnOfMore(code, more);
  }

  assumption(id: string): string {
    this.#exchange.sideEffects.recordAssumption(id);
    return this.#tenant.settings.assumptions[id] ?? 'default';
  }

  recordBody(text: string): void {
    recordBody(this.#exchange, text);
  }

  transact(work: HandlerWork<ApiResponse>): ApiResponse | Promise<ApiResponse> {
    const tenant = this.#tenant;
    const response = tenant.isInTurns ? tenant.afterTurns().then(() => this.#execute(work)) : this.#execute(work);
    return response instanceof Promise ? response.then((late) => this.#finish(late)) : this.#finish(response);
  }

  transactInTurns(reading: Steps<HandlerWork<ApiResponse>>): Promise<ApiResponse> {
    return this.#tenant.takeInTurns(this.#readAndExecute(reading));
  }

  *#readAndExecute(reading: Steps<HandlerWork<ApiResponse>>): Steps<ApiResponse> {
    const work = yield* reading;
    yield;
    return this.#finish(yield* this.#inSteps(work));
  }

  #execute(work: HandlerWork<ApiResponse>): ApiResponse | Promise<ApiResponse> {
    return work.isLong ? this.#tenant.takeInTurns(this.#inSteps(work)) : this.#atOnce(work);
  }

  *#inSteps(work: HandlerWork<ApiResponse>): Steps<ApiResponse> {
    const { handle, isLong } = work;
    const { sideEffects: outcome, id } = this.#exchange;
    if (!isLong || this.#isDry()) return this.#atOnce(work);
    return yield* this.#tenant.transactInSteps({ outcome, work: handle, exchange: id });
  }

  #atOnce({ handle }: HandlerWork<ApiResponse>): ApiResponse {
    const { sideEffects, id } = this.#exchange;
    return this.#isDry() ? this.#tenant.dryRun(handle) : this.#tenant.transact(sideEffects, handle, id);
  }

  #isDry(): boolean {
    const { fault } = this.#exchange;
    return fault !== undefined && isDryRun(fault);
  }

  #finish(response: ApiResponse): ApiResponse {
    if (this.#tenant.settings.assumptions['A-75'] !== 'absent') return response;
    this.#exchange.sideEffects.recordAssumption('A-75');
    return { ...response, body: withoutNulls(response.body) };
  }
}

/** leaves out the fields that have no value. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(fields.map(([name, inner]) => [name, withoutNulls(inner)]));
}
